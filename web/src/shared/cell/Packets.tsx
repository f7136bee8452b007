import { Fragment, type ReactElement } from "react";
import { joins, type Cell } from "./cell";
import classes from "./cell.module.css";
import { curvesTo } from "./Joins";
import { leadTo, type Layout } from "./layout";

interface PacketsProps {
  cell: Cell;
  layout: Layout;
  /** Of the clients that are drawn. */
  colours: readonly string[];
}

/**
 * Packets on their way, a colour for each client: a window's worth at a time from the server to the
 * queue, and from there one after the other at the rate of the link. Still, where one wants no motion.
 */
export function Packets({ cell, layout, colours }: PacketsProps): ReactElement {
  const { columns, rows, clients } = layout;
  return (
    <g data-part="packets">
      {clients.map((client, index) => {
        const turn = -index / clients.length;
        const look = { stroke: colours[index], animationDelay: `calc(${turn} * var(--turn))` };
        const found = joins(cell, client);
        return curvesTo(cell, layout, index).map((curve, each) => {
          const y = rows[found[each]?.path ?? 0] ?? 0;
          return (
            <Fragment key={`${index}-${each}`}>
              <path
                d={`${leadTo(y, layout)}H${columns.gateway}`}
                className={`${classes.packets} ${classes.bursts}`}
                style={look}
              />
              <path
                d={`M${columns.out} ${y}H${columns.fork}${curve}`}
                className={`${classes.packets} ${classes.paced}`}
                style={look}
              />
            </Fragment>
          );
        });
      })}
    </g>
  );
}
