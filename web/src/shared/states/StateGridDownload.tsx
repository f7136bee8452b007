import { useComputedColorScheme } from "@mantine/core";
import type { ReactElement, RefObject } from "react";
import { DownloadMenu } from "#/shared/plots/DownloadMenu";
import { rasterOf, standalone } from "#/shared/plots/standalone";
import { INK, STATE_COLOURS, STATES } from "#/shared/theme/palette";
import { levelText } from "#/shared/levels/text";
import type { Grid } from "./grid";

interface DownloadProps {
  title: string;
  svg: RefObject<SVGSVGElement | null>;
  grid: Grid;
}

export function StateGridDownload({ title, svg, grid }: DownloadProps): ReactElement {
  const scheme = useComputedColorScheme("light");
  const text = (): string => {
    if (svg.current === null) throw new Error("the grid is not shown");
    return standalone(svg.current, {
      ...Object.fromEntries(
        STATES.map((state) => [`--weir-${state}`, STATE_COLOURS[scheme][state]]),
      ),
      "--weir-ground": INK[scheme].ground,
    });
  };
  return (
    <DownloadMenu
      title={title}
      svg={() => Promise.resolve(text())}
      png={() => rasterOf(text())}
      table={() => ({
        columns: [...grid.rowFactors, ...grid.columnFactors, ...STATES],
        rows: grid.cells.map(({ combination: { levels, counts } }) => [
          ...[...grid.rowFactors, ...grid.columnFactors].map((factor) => levelText(levels[factor])),
          ...STATES.map((state) => counts[state] ?? 0),
        ]),
      })}
    />
  );
}
