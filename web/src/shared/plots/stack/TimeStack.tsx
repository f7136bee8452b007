import {
  ActionIcon,
  Group,
  RangeSlider,
  Text,
  Tooltip,
  useComputedColorScheme,
} from "@mantine/core";
import { IconZoomIn, IconZoomOut, IconZoomReset } from "@tabler/icons-react";
import { useCallback, useMemo, useRef, useState, type ReactElement } from "react";
import type { Asked } from "#/shared/copy/formats";
import { number } from "#/shared/units/format";
import { DownloadMenu } from "../DownloadMenu";
import { LEFT, RIGHT, slotsOf } from "./layout";
import { PanelHeader } from "./PanelHeader";
import type { Moment, Panel, Range } from "./panel";
import { pictureOption, stackTable } from "./picture";
import classes from "./stack.module.css";
import { useGestures } from "./useGestures";
import { useStackChart, type Point } from "./useStackChart";
import { keyed } from "./zoom";

interface TimeStackProps {
  title: string;
  /** Memoised: new panels draw everything anew. */
  panels: readonly Panel[];
  moments?: readonly Moment[];
  /** All of the time there is, s. */
  extent: Range;
  /** What of it is shown, s; the caller keeps it, in the URL. */
  range: Range;
  onRange: (range: Range) => void;
  /** The request that it shows. */
  asked?: Asked | undefined;
  /** A click into a panel. */
  onPick?: (point: Point) => void;
}

const NONE: readonly Moment[] = [];
/** Taken before the page has told its width. */
const WIDE = 1000;

/** Panels over one time axis: zoomed together, read out together. */
export function TimeStack(props: TimeStackProps): ReactElement {
  const { title, panels, moments = NONE, extent, range, onRange, asked, onPick } = props;
  const scheme = useComputedColorScheme("light");
  const whole = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { library, width, pointAt } = useStackChart(canvas, {
    panels,
    moments,
    range,
    scheme,
    hidden,
  });
  const { slots, height } = useMemo(() => slotsOf(panels, width || WIDE), [panels, width]);
  const { hover, selection } = useGestures(whole, range, extent, onRange, (x, y) => {
    const point = pointAt(x, y);
    if (point !== null) onPick?.(point);
  });

  const toggle = useCallback((id: string) => {
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  const [from, to] = range;
  const inner = Math.max(1, width - LEFT - RIGHT);
  const x = (time: number): number => LEFT + ((time - from) / (to - from)) * inner;
  const reach = (4 * (to - from)) / inner;
  const near = hover === null ? undefined : moments.find(({ at }) => Math.abs(at - hover) < reach);

  const picture = (): ReturnType<typeof pictureOption> =>
    pictureOption(panels, moments, { range, width, scheme }, hidden);
  const drawn = async () => library ?? (await import("../echarts"));
  const press = (key: string) => () => onRange(keyed(key, range, extent) ?? range);

  return (
    <figure style={{ margin: 0 }}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text component="figcaption" fw={600} size="sm">
          {title}
          <Text span c="dimmed" size="xs" ml="sm">
            {number(from, 6)} – {number(to, 6)} s
          </Text>
        </Text>
        <Group gap={2}>
          <Tooltip label="Zoom in (+, or drag over the plot)">
            <ActionIcon aria-label="Zoom in" onClick={press("+")}>
              <IconZoomIn size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Zoom out (−)">
            <ActionIcon aria-label="Zoom out" onClick={press("-")}>
              <IconZoomOut size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Show all (0, or double click)">
            <ActionIcon aria-label="Show all" onClick={press("0")}>
              <IconZoomReset size={16} />
            </ActionIcon>
          </Tooltip>
          <DownloadMenu
            title={title}
            svg={() => drawn().then((found) => found.svgOf(picture(), { width, height }))}
            png={() => drawn().then((found) => found.pngOf(picture(), { width, height }))}
            table={() => stackTable(panels, { range, width, scheme })}
            asked={asked}
          />
        </Group>
      </Group>
      <div
        ref={whole}
        className={classes.stack}
        style={{ height }}
        role="group"
        aria-label={`${title}: ${panels.map((panel) => panel.title).join(", ")}. Plus, minus, arrows and zero change the time shown.`}
        tabIndex={0}
      >
        <div ref={canvas} style={{ height }} aria-hidden />
        {panels.map((panel, index) => (
          <PanelHeader
            key={panel.title}
            panel={panel}
            index={index}
            slot={slots[index] ?? { top: 0, height: 0, header: 0 }}
            width={width || WIDE}
            hover={hover}
            reach={reach}
            hidden={hidden}
            onToggle={toggle}
          />
        ))}
        {hover !== null && (
          <div
            className={`${classes.crosshair} ${x(hover) > width / 2 ? classes.left : ""}`}
            style={{ left: x(hover) }}
          >
            <span className={classes.moment}>
              {number(hover, 6)} s{near === undefined ? "" : ` · ${near.label}`}
            </span>
          </div>
        )}
        {selection !== null && (
          <div
            className={classes.selection}
            style={{ left: x(selection[0]), width: x(selection[1]) - x(selection[0]) }}
          />
        )}
      </div>
      <RangeSlider
        size="xs"
        ml={LEFT}
        mr={RIGHT}
        label={null}
        min={extent[0]}
        max={extent[1]}
        minRange={(extent[1] - extent[0]) / 500}
        step={(extent[1] - extent[0]) / 1000}
        value={[from, to]}
        onChange={onRange}
        thumbFromLabel="First second shown"
        thumbToLabel="Last second shown"
      />
    </figure>
  );
}
