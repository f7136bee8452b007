/** Where the parts of a cell's drawing stand, in its own units. */
import { joins, trafficOn, type Cell } from "./cell";
import { CARD } from "./ClientCard";
import { GATEWAY, PLAIN_WIDTH } from "./GatewayBox";
import { rowHeight, type Columns } from "./PathRow";
import { UPSTREAM_WIDTH } from "./UpstreamBox";

const WIDTH = 980;
/** Of clients, of which there may be hundreds. */
const SHOWN = 6;
const ROW_GAP = 22;
const SERVER_END = 162;

export interface Layout {
  width: number;
  /** Without the timeline. */
  height: number;
  columns: Columns;
  /** The middle of each path's row. */
  rows: number[];
  clients: Cell["clients"];
  /** Clients that are not drawn. */
  more: number;
  clientX: number;
  /** The top of each card, and of the line below them. */
  clientY: (index: number) => number;
}

export function layoutOf(cell: Cell): Layout {
  const isSingle = cell.paths.length === 1;
  const wider = cell.paths.some(({ upstream }) => upstream !== null) ? UPSTREAM_WIDTH : 0;
  const width = WIDTH + wider;
  const clientX = width - CARD.width - 12;
  const path = isSingle ? SERVER_END : SERVER_END + 44;
  const gateway = path + 112 + wider;
  const out = gateway + (isSingle ? GATEWAY.width : PLAIN_WIDTH);
  const columns = {
    path,
    pathEnd: path + 112,
    gateway,
    out,
    fork: isSingle ? clientX - 34 : out + 140,
  };
  const heights = cell.paths.map((each, index) => rowHeight(each, trafficOn(cell, index)));
  const clients = cell.clients.slice(0, SHOWN);
  const more = cell.clients.slice(SHOWN).reduce((sum, each) => sum + each.count, 0);
  const cards = Math.max(1, clients.length) * (CARD.height + 10) + (more > 0 ? 22 : 0);
  const paths = heights.reduce((sum, each) => sum + each, ROW_GAP * (heights.length - 1));
  const height = Math.max(paths, cards) + 24;
  const rows = heights.map(
    (each, index) =>
      (height - paths) / 2 +
      heights.slice(0, index).reduce((sum, before) => sum + before + ROW_GAP, 0) +
      each / 2,
  );
  const clientY = (index: number): number =>
    height / 2 - cards / 2 + 5 + index * (CARD.height + 10);
  return { width, height, columns, rows, clients, more, clientX, clientY };
}

/** Indices of the drawn clients that use a path. */
export function usersOf(cell: Cell, { clients }: Layout, path: number): number[] {
  return clients.flatMap((client, index) =>
    joins(cell, client).some((join) => join.path === path) ? [index] : [],
  );
}

/** From the server to a row's begin, as an SVG path. */
export function leadTo(y: number, { height, rows, columns }: Layout): string {
  const middle = height / 2;
  return rows.length === 1
    ? `M${columns.path} ${y}`
    : `M${SERVER_END} ${middle}C${SERVER_END + 26} ${middle} ${SERVER_END + 18} ${y} ${columns.path} ${y}`;
}
