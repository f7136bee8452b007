import type { Link } from "./cell";

/** Of a link's line: thicker for faster, by the logarithm. 1 Mbit/s is 4, 100 Mbit/s is 12. */
export function thickness(link: Link | null): number {
  if (link === null || link.rate_bps <= 0) return 5;
  return Math.min(16, Math.max(2, 4 + 4 * Math.log10(link.rate_bps / 1e6)));
}
