import { useComputedColorScheme } from "@mantine/core";
import type { ReactElement } from "react";
import { seriesColour } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell } from "./cell";
import { CARD, ClientCard } from "./ClientCard";
import { describe, varies } from "./describe";
import { GATEWAY, GatewayBox } from "./GatewayBox";
import { Label } from "./Label";
import { PathLink } from "./PathLink";
import { ServerBox } from "./ServerBox";
import { thickness } from "./thickness";
import { Timeline } from "./Timeline";
import { UPSTREAM_WIDTH, UpstreamBox } from "./UpstreamBox";

const WIDTH = 980;
const SHOWN = 6;
const PATH_END = 274;

/** A cell as it is going to be: server, path, gateway, clients, and when these come and go. */
export function CellDrawing({ cell }: { cell: Cell }): ReactElement {
  const scheme = useComputedColorScheme("light");
  const { downlink, uplink, upstream } = cell;
  const wider = upstream === null ? 0 : UPSTREAM_WIDTH;
  const width = WIDTH + wider;
  const gatewayX = PATH_END + wider;
  const clientX = width - CARD.width - 12;
  const clients = cell.clients.slice(0, SHOWN);
  const more = cell.clients.slice(SHOWN).reduce((sum, each) => sum + each.count, 0);
  const colours = clients.map((_, index) => seriesColour(scheme, index));
  const rows = Math.max(1, clients.length) * (CARD.height + 10) + (more > 0 ? 22 : 0);
  const body = Math.max(GATEWAY.height, rows) + 24;
  const height = body + 30 + 5 * clients.length;
  const middle = body / 2;
  const out = gatewayX + GATEWAY.width;
  const fork = clientX - 34;
  const first = middle - rows / 2 + 5;
  const wide = thickness(downlink);
  const notes = [
    ...(downlink === null ? [] : varies(downlink)),
    ...(uplink === null ? [] : [`← ${quantity(uplink.rate_bps, "bit/s")}`]),
  ];

  return (
    <div className={classes.scroll} tabIndex={0}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={classes.drawing}
        role="img"
        aria-label={describe(cell)}
      >
        <PathLink from={162} to={PATH_END} y={middle} path={cell.path} />
        {clients.map((_, index) => {
          const y = first + index * (CARD.height + 10) + CARD.height / 2;
          return (
            <path
              key={index}
              d={`M${fork} ${middle}C${fork + 20} ${middle} ${fork + 12} ${y} ${clientX} ${y}`}
              className={classes.pipe}
              strokeWidth={2.5}
            />
          );
        })}
        <path
          d={`M${out} ${middle}H${fork}`}
          className={`${classes.water} ${(downlink?.steps ?? 1) > 1 ? classes.varying : ""}`}
          strokeWidth={wide}
        />
        <Label
          x={(out + fork) / 2}
          y={middle - wide / 2 - 9}
          text={downlink === null ? "not shaped" : quantity(downlink.rate_bps, "bit/s")}
          anchor="middle"
          fits={16}
        />
        {notes.map((note, index) => (
          <Label
            key={note}
            x={(out + fork) / 2}
            y={middle + wide / 2 + 18 + 15 * index}
            text={note}
            anchor="middle"
            fits={18}
            small
          />
        ))}
        <ServerBox x={12} y={middle - 55} server={cell.server} />
        {upstream !== null && (
          <UpstreamBox
            x={PATH_END}
            y={middle - GATEWAY.height / 2}
            upstream={upstream}
            colours={colours}
          />
        )}
        <GatewayBox x={gatewayX} y={middle - GATEWAY.height / 2} cell={cell} colours={colours} />
        {clients.map((client, index) => (
          <ClientCard
            key={index}
            x={clientX}
            y={first + index * (CARD.height + 10)}
            client={client}
            cell={cell}
            colour={colours[index] ?? ""}
          />
        ))}
        {more > 0 && (
          <Label x={clientX + 46} y={first + rows - 16} text={`and ${more} more`} small />
        )}
        <Timeline x={12} y={height - 22} width={width - 24} cell={cell} colours={colours} />
      </svg>
    </div>
  );
}
