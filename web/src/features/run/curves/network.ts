/** Panels of TCP at the server and of the bottleneck's queue. */
import type { Panel, Series } from "#/shared/plots/stack/panel";
import { SYMBOLS } from "#/shared/plots/series";
import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import type { Curve } from "../queries";
import { drawn, ofKind, type Drawing } from "./draw";

/** Beside a line of the same client that may be dashed itself. */
const SHORT_DASH = [3, 3];

export function cwnd(curves: readonly Curve[], drawing: Drawing): Panel {
  return {
    title: "cwnd, ssthresh",
    unit: "segments",
    include: [0],
    height: 120,
    series: [
      ...drawn(curves, "cwnd", drawing, { called: "cwnd" }),
      ...drawn(curves, "ssthresh", drawing, { called: "ssthresh", dash: SHORT_DASH }),
    ],
  };
}

/** Curves of one kind by client. */
export function single(
  kind: string,
  title: string,
  unit: string,
): (curves: readonly Curve[], drawing: Drawing) => Panel {
  return (curves, drawing) => ({
    title,
    unit,
    include: [0],
    series: drawn(curves, kind, drawing),
  });
}

const PHASES = ["burst", "ack-clocking", "ack-trailing"] as const;
const PHASE_COLOURS = [6, 1, 3] as const;

function phaseLook(phase: string, scheme: Scheme): Pick<Series, "colour" | "symbol"> {
  const index = PHASES.findIndex((each) => each === phase);
  const known = PHASE_COLOURS[index];
  return known === undefined
    ? { colour: INK[scheme].line, symbol: "rect" }
    : { colour: seriesColour(scheme, known), symbol: SYMBOLS[index] };
}

/** Drops of all flows by the phase of sending they fell in, at the packets found in the queue. */
export function dropsByPhase(curves: readonly Curve[], drawing: Drawing): Series[] {
  const found = new Map<string, { t: number; y: number }[]>();
  for (const { t_s: times, values, labels } of ofKind(curves, "drops", drawing))
    times.forEach((t, index) => {
      const phase = labels[index] ?? "";
      const dot = { t, y: values[index] ?? NaN };
      const known = found.get(phase);
      if (known === undefined) found.set(phase, [dot]);
      else known.push(dot);
    });
  return [...PHASES, ""].flatMap((phase) => {
    const dots = found.get(phase)?.sort((a, b) => a.t - b.t);
    if (dots === undefined) return [];
    return [
      {
        name: phase === "" ? "drops without data" : `drops: ${phase}`,
        t: dots.map(({ t }) => t),
        y: dots.map(({ y }) => y),
        shape: "dots" as const,
        ...phaseLook(phase, drawing.scheme),
      },
    ];
  });
}

export function queue(curves: readonly Curve[], drawing: Drawing): Panel {
  return {
    title: "Queue",
    unit: "packets",
    include: [0],
    series: [
      ...drawn(curves, "queue", drawing, {
        called: "length",
        colour: seriesColour(drawing.scheme, 2),
      }),
      ...dropsByPhase(curves, drawing),
    ],
  };
}

export function rate(curves: readonly Curve[], drawing: Drawing): Panel {
  const { scheme } = drawing;
  return {
    title: "Bottleneck rate",
    unit: "bit/s",
    include: [0],
    series: [
      ...drawn(curves, "sent_rate", drawing, { called: "sent", colour: seriesColour(scheme, 2) }),
      ...drawn(curves, "link_rate", drawing, {
        called: "link",
        colour: INK[scheme].dim,
        dash: SHORT_DASH,
      }),
    ],
  };
}
