import { Group, Skeleton, Text, useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState, type ReactElement } from "react";
import { INK, type Scheme } from "#/shared/theme/palette";
import type { Table } from "./csv";
import { DownloadMenu } from "./DownloadMenu";
import type { ChartOption } from "./echarts";

interface ChartProps {
  title: string;
  /** Pure, from outside the component or memoised: a new one draws the chart again. */
  option: (scheme: Scheme) => ChartOption;
  table: () => Table;
  height?: number;
}

type Library = typeof import("./echarts");

/** A plot with its title and downloads. ECharts is fetched when the first one is shown. */
export function Chart({ title, option, table, height = 300 }: ChartProps): ReactElement {
  const scheme = useComputedColorScheme("light");
  const holder = useRef<HTMLDivElement>(null);
  const [library, setLibrary] = useState<Library>();

  useEffect(() => {
    void import("./echarts").then(setLibrary);
  }, []);

  useEffect(() => {
    const element = holder.current;
    if (library === undefined || element === null) return;
    const chart = library.init(element, null, { renderer: "canvas" });
    chart.setOption(option(scheme));
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [library, option, scheme]);

  const drawn = async (): Promise<[Library, ChartOption, { width: number; height: number }]> => {
    const found = library ?? (await import("./echarts"));
    const width = holder.current?.clientWidth ?? 0;
    return [
      found,
      { ...option(scheme), backgroundColor: INK[scheme].ground },
      { width: Math.max(480, width), height },
    ];
  };
  return (
    <figure style={{ margin: 0 }}>
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
        <Text component="figcaption" fw={600} size="sm" truncate>
          {title}
        </Text>
        <DownloadMenu
          title={title}
          svg={() => drawn().then(([found, picture, size]) => found.svgOf(picture, size))}
          png={() => drawn().then(([found, picture, size]) => found.pngOf(picture, size))}
          table={table}
        />
      </Group>
      {library === undefined && <Skeleton height={height} />}
      <div
        ref={holder}
        role="img"
        aria-label={title}
        style={{ height, display: library === undefined ? "none" : "block" }}
      />
    </figure>
  );
}
