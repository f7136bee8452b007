import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Fetches everything once more when the runs have stopped: what was fetched while they went on
 * is older than their end. */
export function useLastLook(moving: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!moving) return undefined;
    return () => void queries.invalidateQueries();
  }, [moving, queries]);
}
