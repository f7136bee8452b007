/** The runs that differ from one by their seed alone. */
import { api, type Schema } from "#/api/client";
import { levelQuery } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";

type Run = Pick<Schema<"RunOut">, "id" | "levels" | "replicate"> & { campaign_id: string };

/** More than anyone steps through. */
const MOST = 500;

/** Of the same levels, in their order; it is among them. */
export function useReplicates(run: Run) {
  const levels = Object.entries(run.levels).map(([path, level]) => [path, levelText(level)]);
  const level = levelQuery(Object.fromEntries(levels) as Record<string, string>);
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    { params: { path: { campaign: run.campaign_id }, query: { level, limit: MOST } } },
    { staleTime: Infinity },
  );
}

/** The one before and the one after, where there are such. */
export function beside<Each extends { id: number; replicate: number }>(
  runs: readonly Each[],
  id: number,
): { before: Each | undefined; after: Each | undefined } {
  const inOrder = [...runs].sort((a, b) => a.replicate - b.replicate);
  const place = inOrder.findIndex((each) => each.id === id);
  return place < 0
    ? { before: undefined, after: undefined }
    : { before: inOrder[place - 1], after: inOrder[place + 1] };
}
