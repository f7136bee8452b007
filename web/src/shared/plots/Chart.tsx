import { Group, Skeleton, Text, useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState, type ReactElement } from "react";
import type { Asked } from "#/shared/copy/formats";
import { INK, type Scheme } from "#/shared/theme/palette";
import type { Table } from "./csv";
import { DownloadMenu } from "./DownloadMenu";
import type { ChartOption } from "./echarts";
import { legendHeight } from "./legend";
import { useWidth } from "./useWidth";

interface ChartProps {
  title: string;
  /** Pure, from outside the component or memoised: a new one draws the chart again. */
  option: (scheme: Scheme, width: number) => ChartOption;
  /** What the legend names: it has its lines above the plot. */
  names: readonly string[];
  table: () => Table;
  /** The request that it shows. */
  asked?: Asked | undefined;
  /** Of the plot without its legend, px. */
  height?: number;
  /** A click on a mark. */
  onPick?: (mark: Mark) => void;
}

/** A mark that was clicked: its series, and the numbers it is drawn of. */
export interface Mark {
  series: string;
  value: readonly number[];
}

type Library = typeof import("./echarts");

/** A plot with its title and downloads. ECharts is fetched when the first one is shown. */
export function Chart({
  title,
  option,
  names,
  table,
  asked,
  height = 300,
  onPick,
}: ChartProps): ReactElement {
  const scheme = useComputedColorScheme("light");
  const { ref, width } = useWidth<HTMLElement>();
  const holder = useRef<HTMLDivElement>(null);
  const [library, setLibrary] = useState<Library>();
  const tall = height + legendHeight(names, width);

  const picked = useRef(onPick);
  useEffect(() => {
    picked.current = onPick;
  });

  useEffect(() => {
    void import("./echarts").then(setLibrary);
  }, []);

  useEffect(() => {
    const element = holder.current;
    if (library === undefined || element === null || width === 0) return;
    const chart = library.init(element, null, { renderer: "canvas", width, height: tall });
    chart.setOption(option(scheme, width));
    // Not with the next frame: a tab that is not in view gets none.
    chart.getZr().flush();
    chart.on("click", ({ seriesName = "", value }) => {
      if (Array.isArray(value)) picked.current?.({ series: seriesName, value: value as number[] });
    });
    return () => chart.dispose();
  }, [library, option, scheme, width, tall]);

  const drawn = async () => {
    const found = library ?? (await import("./echarts"));
    const size = { width: Math.max(480, width), height: 0 };
    size.height = height + legendHeight(names, size.width);
    const picture = { ...option(scheme, size.width), backgroundColor: INK[scheme].ground };
    return { found, picture, size };
  };
  return (
    <figure style={{ margin: 0 }} ref={ref}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
        <Text component="figcaption" fw={600} size="sm">
          {title}
        </Text>
        <DownloadMenu
          title={title}
          svg={() => drawn().then(({ found, picture, size }) => found.svgOf(picture, size))}
          png={() => drawn().then(({ found, picture, size }) => found.pngOf(picture, size))}
          table={table}
          asked={asked}
        />
      </Group>
      {library === undefined && <Skeleton height={tall} aria-busy />}
      <div
        ref={holder}
        role="img"
        aria-label={title}
        style={{ height: tall, display: library === undefined ? "none" : "block" }}
      />
    </figure>
  );
}
