import type { ReactElement } from "react";
import { quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell, CellPath, Traffic } from "./cell";
import { varies } from "./describe";
import { GATEWAY, GatewayBox } from "./GatewayBox";
import { Label } from "./Label";
import { PathLink } from "./PathLink";
import { thickness } from "./thickness";
import { trafficLines, TrafficMarks } from "./TrafficMarks";
import { UpstreamBox } from "./UpstreamBox";

const LINE = 15;

/** Where a row's parts begin and end. */
export interface Columns {
  path: number;
  /** Where the path ends, and an upstream box stands if there is one. */
  pathEnd: number;
  gateway: number;
  out: number;
  fork: number;
}

interface RowProps {
  /** From the server to the row, as an SVG path. */
  lead: string;
  y: number;
  columns: Columns;
  path: CellPath;
  /** Where there is a place for it. */
  shaping: Cell["shaping"] | null;
  traffic: readonly Traffic[];
  /** Of the clients on it. */
  colours: readonly string[];
}

function notesOf({ downlink, uplink }: CellPath): string[] {
  return [
    ...(downlink === null ? [] : varies(downlink)),
    ...(uplink === null ? [] : [`← ${quantity(uplink.rate_bps, "bit/s")}`]),
  ];
}

/** From the link's middle to the first line below it. */
function below(path: CellPath): number {
  return thickness(path.downlink) / 2 + 18;
}

export function rowHeight(path: CellPath, traffic: readonly Traffic[]): number {
  const lines = notesOf(path).length + trafficLines(traffic);
  return Math.max(GATEWAY.height, 2 * (below(path) + LINE * (lines - 1) + 4));
}

/** One way from the server to the homes: path, upstream, the gateway's queue and its downlink. */
export function PathRow(props: RowProps): ReactElement {
  const { lead, y, columns, path, shaping, traffic, colours } = props;
  const { downlink, upstream } = path;
  const { pathEnd, gateway, out, fork } = columns;
  const wide = thickness(downlink);
  const notes = notesOf(path);
  return (
    <g data-part="path">
      <PathLink
        lead={lead}
        from={columns.path}
        to={pathEnd}
        until={upstream === null ? gateway : pathEnd}
        y={y}
        path={path}
      />
      <path
        d={`M${out} ${y}H${fork}`}
        className={`${classes.water} ${(downlink?.steps ?? 1) > 1 ? classes.varying : ""}`}
        strokeWidth={wide}
      />
      <Label
        x={(out + fork) / 2}
        y={y - wide / 2 - 9}
        text={downlink === null ? "not shaped" : quantity(downlink.rate_bps, "bit/s")}
        anchor="middle"
        fits={16}
      />
      {notes.map((note, index) => (
        <Label
          key={note}
          x={(out + fork) / 2}
          y={y + below(path) + LINE * index}
          text={note}
          anchor="middle"
          fits={18}
          small
        />
      ))}
      <TrafficMarks x={out + 10} y={y + below(path) + LINE * notes.length} traffic={traffic} />
      {upstream !== null && (
        <UpstreamBox x={pathEnd} y={y - GATEWAY.height / 2} upstream={upstream} colours={colours} />
      )}
      <GatewayBox
        x={gateway}
        y={y - GATEWAY.height / 2}
        downlink={downlink}
        shaping={shaping}
        colours={colours}
      />
    </g>
  );
}
