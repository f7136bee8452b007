import { Text } from "@mantine/core";
import { useState, type ReactElement } from "react";
import type { Cell } from "#/shared/cell/cell";
import { CellDrawing } from "#/shared/cell/CellDrawing";
import { levelText } from "#/shared/levels/text";
import classes from "./page.module.css";

/** The last one that was there: what is being typed may have errors for a while. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

/** The cell of the first combination, as the server resolved it; the last sound one until the next. */
export function CellPreview({ cell }: { cell: Cell | null }): ReactElement {
  const shown = useLast(cell);
  if (shown === null)
    return (
      <Text size="sm" c="dimmed">
        The cell is drawn here once the campaign has no errors.
      </Text>
    );
  const levels = Object.entries(shown.levels).map(
    ([factor, level]) => `${factor} = ${levelText(level)}`,
  );
  return (
    <>
      <div className={cell === null ? classes.outdated : undefined}>
        <CellDrawing cell={shown} />
      </div>
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {cell === null
          ? "Drawn as before the last change: this campaign has errors."
          : levels.length > 0 && `The first combination: ${levels.join(", ")}.`}
      </Text>
    </>
  );
}
