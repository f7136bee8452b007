import type { Client } from "./experiment";

interface Steps {
  t: readonly number[];
  y: readonly number[];
}

/**
 * The link's rate over the number of clients that stream at a time, bit/s, as steps from 0 to the
 * end; NaN while nobody does. link: steps of the link's rate.
 */
export function fairShare(link: Steps, clients: readonly Client[], durationS: number): Steps {
  const moments = new Set([0, durationS, ...link.t]);
  for (const { startS, stopS } of clients) {
    moments.add(startS);
    if (stopS !== null) moments.add(stopS);
  }
  const t = [...moments].filter((at) => at >= 0 && at <= durationS).sort((a, b) => a - b);
  let step = 0;
  const y = t.map((at) => {
    while ((link.t[step + 1] ?? Infinity) <= at) step += 1;
    const until = at === durationS ? at - 1e-9 : at;
    const streaming = clients.filter(
      ({ startS, stopS }) => startS <= until && until < (stopS ?? Infinity),
    ).length;
    return streaming === 0 ? NaN : (link.y[step] ?? NaN) / streaming;
  });
  return { t, y };
}
