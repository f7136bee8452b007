/** A campaign's runs as they are listed, to be taken along. */
import type { Asked } from "#/shared/copy/formats";
import { levelText } from "#/shared/levels/text";
import type { Table } from "#/shared/plots/csv";
import type { Run } from "./queries";
import type { CampaignSearch } from "./search";

/** The runs that have been read, a row each. */
export function runsTable(
  runs: readonly Run[],
  factors: readonly string[],
  metrics: readonly string[],
): Table {
  return {
    columns: ["run", "state", ...factors, "replicate", "seed", ...metrics, "wall_s"],
    rows: runs.map(({ id, state, levels, replicate, seed, metrics: values, wall_s: wall }) => [
      id,
      state,
      ...factors.map((factor) => (factor in levels ? levelText(levels[factor]) : null)),
      replicate + 1,
      seed,
      ...metrics.map((name) => values[name] ?? null),
      wall,
    ]),
  };
}

/** The request that lists them. */
export function askedFor(
  campaign: string,
  { state, levels, sort, metrics }: CampaignSearch,
): Asked {
  return {
    path: `/api/v1/campaigns/${campaign}/runs`,
    call: "list_runs",
    of: [campaign],
    query: { state, sort, metric: metrics },
    ...(levels === undefined ? {} : { levels }),
  };
}
