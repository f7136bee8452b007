import type { ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { Loaded } from "#/shared/ui/Loaded";
import { differing } from "./differing";
import { DifferingTable } from "./DifferingTable";
import { useDocument, type Campaign } from "./queries";

/** What the two campaigns ask for differently. */
export function CampaignDifferences({ a, b }: { a: Campaign; b: Campaign }): ReactElement {
  const left = useDocument(a.id);
  const right = useDocument(b.id);
  const params = (
    { kernel_hash: kernel, roles_hash: roles, replicates }: Campaign,
    { spec, seed }: NonNullable<typeof left.data>,
  ): unknown => {
    const { experiment, factors, zip, exclude, search } = spec;
    const own = { experiment, factors, zip, exclude, search };
    return { ...own, seed: seed ?? spec.seed, replicates, kernel, roles };
  };
  return (
    <Loaded query={left} height={120}>
      {(one) => {
        if (right.data === undefined)
          return right.error !== null ? (
            <ProblemAlert error={right.error} onRetry={() => void right.refetch()} />
          ) : (
            <></>
          );
        return (
          <DifferingTable
            title="Parameters that differ"
            differences={differing(params(a, one), params(b, right.data))}
            none="Both ask for the same."
          />
        );
      }}
    </Loaded>
  );
}
