import { useEffect, useState, type ReactElement } from "react";
import { full, relative } from "./format";

/** A moment, as in "3 min ago", with date, time and zone on hover. Keeps itself current. */
export function Time({ at }: { at: string | null | undefined }): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const look = (): void => setNow(Date.now());
    // At once for a moment that has come since: beside an old now it would be still to come.
    const first = setTimeout(look);
    const timer = setInterval(look, 20_000);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [at]);
  if (at === null || at === undefined) return <span>–</span>;
  return (
    <time dateTime={at} title={full(at)}>
      {relative(at, now)}
    </time>
  );
}
