import { useComputedColorScheme } from "@mantine/core";
import { useMemo, type ReactElement } from "react";
import { seriesColour } from "#/shared/theme/palette";
import classes from "./cell.module.css";
import { CARD, ClientCard } from "./ClientCard";
import { describe } from "./describe";
import { GATEWAY, GatewayBox } from "./GatewayBox";
import { Label } from "./Label";
import { readCell, type LinkDrawn } from "./model";
import { PathLink } from "./PathLink";
import { ServerBox } from "./ServerBox";
import { Timeline } from "./Timeline";

const WIDTH = 980;
const SHOWN = 6;
const GATEWAY_X = 286;
const CLIENT_X = WIDTH - CARD.width - 12;

/** Thicker for faster, by the logarithm: 1 Mbit/s is 4, 100 Mbit/s is 12. */
function thickness({ rateBps }: LinkDrawn): number {
  if (rateBps === null || rateBps <= 0) return 5;
  return Math.min(16, Math.max(2, 4 + 4 * Math.log10(rateBps / 1e6)));
}

/** The cell of an experiment as it stands in a document, which may be partial or wrong. */
export function CellDrawing({ experiment }: { experiment: unknown }): ReactElement {
  const scheme = useComputedColorScheme("light");
  const cell = useMemo(() => readCell(experiment), [experiment]);
  const clients = cell.clients.slice(0, SHOWN);
  const more = cell.clients.slice(SHOWN).reduce((sum, each) => sum + each.count, 0);
  const colours = clients.map((_, index) => seriesColour(scheme, index));
  const rows = Math.max(1, clients.length) * (CARD.height + 10) + (more > 0 ? 22 : 0);
  const body = Math.max(GATEWAY.height, rows) + 24;
  const height = body + 30 + 5 * clients.length;
  const middle = body / 2;
  const out = GATEWAY_X + GATEWAY.width;
  const fork = CLIENT_X - 34;
  const first = middle - rows / 2 + 5;
  const wide = thickness(cell.downlink);

  return (
    <div className={classes.scroll} tabIndex={0}>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        className={classes.drawing}
        role="img"
        aria-label={describe(cell)}
      >
        <PathLink from={162} to={GATEWAY_X} y={middle} cell={cell} />
        {clients.map((_, index) => {
          const y = first + index * (CARD.height + 10) + CARD.height / 2;
          return (
            <path
              key={index}
              d={`M${fork} ${middle}C${fork + 20} ${middle} ${fork + 12} ${y} ${CLIENT_X} ${y}`}
              className={classes.pipe}
              strokeWidth={2.5}
            />
          );
        })}
        <path
          d={`M${out} ${middle}H${fork}`}
          className={`${classes.water} ${cell.downlink.varies ? classes.varying : ""}`}
          strokeWidth={wide}
        />
        <Label
          x={(out + fork) / 2}
          y={middle - wide / 2 - 9}
          word={cell.downlink.rate}
          anchor="middle"
          fits={16}
        />
        {[cell.downlink.note, cell.uplink && `← ${cell.uplink.rate.text.slice(0, 16)}`]
          .filter((line) => line)
          .map((line, index) => (
            <text
              key={line}
              x={(out + fork) / 2}
              y={middle + wide / 2 + 18 + 15 * index}
              textAnchor="middle"
              className={classes.small}
            >
              {line}
            </text>
          ))}
        <ServerBox x={12} y={middle - 55} server={cell.server} />
        <GatewayBox x={GATEWAY_X} y={middle - GATEWAY.height / 2} cell={cell} colours={colours} />
        {clients.map((client, index) => (
          <ClientCard
            key={index}
            x={CLIENT_X}
            y={first + index * (CARD.height + 10)}
            client={client}
            colour={colours[index] ?? ""}
          />
        ))}
        {cell.clients.length === 0 && (
          <text x={CLIENT_X + 12} y={middle + 4} className={classes.small}>
            no clients yet
          </text>
        )}
        {more > 0 && (
          <text x={CLIENT_X + 46} y={first + rows - 16} className={classes.small}>
            and {more} more
          </text>
        )}
        <Timeline x={12} y={height - 22} width={WIDTH - 24} cell={cell} colours={colours} />
      </svg>
    </div>
  );
}
