import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { noteConnection } from "#/shared/connection/connection";
import { isNoAnswer, isNotSignedIn, isPassing } from "#/shared/errors/problem";

const RETRIES = 2;

/** onSignedOut: called when an answer says that nobody is signed in any more. */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    noteConnection(!isNoAnswer(error));
    if (isNotSignedIn(error)) onSignedOut();
  };
  const onSuccess = (): void => noteConnection(true);
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onSuccess }),
    defaultOptions: {
      queries: {
        // The server may be on this very machine, which being offline does not matter to.
        networkMode: "always",
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}
