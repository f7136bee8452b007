import type { Moment } from "#/shared/plots/stack/panel";
import type { Curve } from "./queries";
import { quantity } from "#/shared/units/format";
import type { Experiment } from "./experiment";

function described(
  label: string,
  client: number | null,
  at: number,
  { lossEvents }: Experiment,
): string | null {
  const who = client === null ? "a client" : `client ${client}`;
  switch (label) {
    case "client-starts":
      return at > 0 ? `${who} joins` : null;
    case "client-stops":
      return `${who} leaves`;
    case "loss-begins": {
      const loss = lossEvents.find(({ atS }) => Math.abs(atS - at) < 0.05)?.loss;
      return loss === undefined ? "loss begins" : `${quantity(100 * loss, "%")} loss begins`;
    }
    case "loss-ends":
      return "loss ends";
    case "outage-begins":
      return "the carrier is lost";
    case "outage-ends":
      return "the carrier is back";
    case "rate":
      return "the link's rate changes";
    default:
      return null;
  }
}

/** What happened in a run that its plots should show: who came and went, loss, changes of rate. */
export function momentsOf(curves: readonly Curve[], experiment: Experiment): Moment[] {
  return curves
    .filter(({ kind }) => kind === "events")
    .flatMap(({ t_s: times, labels, client }) =>
      times.flatMap((at, index) => {
        const label = described(labels[index] ?? "", client, at, experiment);
        return label === null ? [] : [{ at, label }];
      }),
    )
    .sort((a, b) => a.at - b.at);
}
