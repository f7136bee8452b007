import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, type RouterHistory } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { cssVariables, theme } from "#/shared/theme/theme";
import { makeQueryClient } from "./queries";
import { makeRouter } from "./router";

const colorSchemes = localStorageColorSchemeManager({ key: "weir-theme" });

/** The server puts a fresh one into every page; without it the style sheet would be refused. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/** history: the browser's own, unless told otherwise. */
export function App({ history }: { history?: RouterHistory }): ReactElement {
  const [{ queries, router }] = useState(() => {
    const made = makeQueryClient(() => {
      if (router.state.location.pathname === "/sign-in") return;
      queries.removeQueries({ queryKey: ["get", "/api/v1/me"] });
      void router.navigate({ to: "/sign-in", search: { after: router.state.location.href } });
    });
    const queries = made;
    const router = makeRouter(made, history);
    return { queries, router };
  });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
