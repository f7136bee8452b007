/** A cell as the server resolved it: SI units, nothing left to work out. */
import type { Schema } from "#/api/client";

export type Cell = NonNullable<Schema<"Validation">["cell"]>;
export type Link = NonNullable<Cell["downlink"]>;
export type Client = Cell["clients"][number];
