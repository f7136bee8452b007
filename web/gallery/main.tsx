/** Every drawing and plot on one page, of made-up data, to look at while working on them. */
import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "#/shared/theme/global.css";
import {
  Container,
  MantineProvider,
  Paper,
  Stack,
  Title,
  useComputedColorScheme,
} from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { StrictMode, useEffect, useMemo, useState, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { Narrowing } from "#/features/campaigns/searched/Narrowing";
import { CellDrawing } from "#/shared/cell/CellDrawing";
import type { Range } from "#/shared/plots/stack/panel";
import { TimeStack } from "#/shared/plots/stack/TimeStack";
import { meQuery } from "#/shared/session/session";
import { StateGrid } from "#/shared/states/StateGrid";
import { cssVariables, theme } from "#/shared/theme/theme";
import { cells } from "#/testing/cells";
import { bars, combinations, sequence, stack, values } from "#/testing/examples";
import { manyBars, manyValues, weighed } from "#/testing/manySeries";
import { searches } from "#/testing/searches";
import { Distributions, Means, Values, Weighed } from "./charts";
import { manyPanels } from "./manyClients";

const MINUTE: Range = [0, 60];
const SOME = [1, 2, 9, 10];

/** More series than colours. */
function Many(): ReactElement {
  const scheme = useComputedColorScheme("light");
  const panels = useMemo(() => manyPanels(scheme, SOME), [scheme]);
  const [range, setRange] = useState(MINUTE);
  return (
    <>
      <Paper p="md" id="many-bars">
        <Means title="Many means" data={manyBars} />
      </Paper>
      <Paper p="md" id="many-boxes">
        <Values title="Many values" data={manyValues} />
      </Paper>
      <Paper p="md" id="many-cdf">
        <Distributions title="Many distributions" data={manyValues} />
      </Paper>
      <Paper p="md" id="many-scatter">
        <Weighed title="Two metrics weighed" data={weighed} />
      </Paper>
      <Paper p="md" id="many-stack">
        <TimeStack
          title="Clients 1, 2, 9 and 10 of ten"
          panels={panels}
          extent={MINUTE}
          range={range}
          onRange={setRange}
        />
      </Paper>
    </>
  );
}

function RunStack(): ReactElement {
  const [range, setRange] = useState<Range>(stack.extent);
  const [panels, setPanels] = useState(stack.panels);
  useEffect(() => {
    // As when data arrive: the script that measures calls it.
    Object.assign(window, { redrawStack: () => setPanels([...stack.panels]) });
  }, []);
  return <TimeStack title="A run" {...stack} panels={panels} range={range} onRange={setRange} />;
}

function Sequence(): ReactElement {
  const [range, setRange] = useState<Range>(sequence.extent);
  return <TimeStack title="Packets" {...sequence} range={range} onRange={setRange} />;
}

function Gallery(): ReactElement {
  return (
    <Container size="lg" py="md">
      <Stack>
        {Object.entries(cells).map(([name, cell]) => (
          <Paper key={name} p="md">
            <Title order={2} mb="xs">
              {name}
            </Title>
            <CellDrawing cell={cell} />
          </Paper>
        ))}
        {Object.entries(searches).map(([name, told]) => (
          <Paper key={name} p="md" id={`search-${name}`}>
            <Title order={2} mb="xs">
              {`a search, ${name}`}
            </Title>
            <Narrowing told={told} />
          </Paper>
        ))}
        <Paper p="md">
          <StateGrid title="Runs" combinations={combinations.small} onPick={() => undefined} />
        </Paper>
        <Paper p="md">
          <StateGrid title="Many runs" combinations={combinations.large} onPick={() => undefined} />
        </Paper>
        <Paper p="md">
          <Means title="Means" data={bars} />
        </Paper>
        <Paper p="md">
          <Values title="Values" data={values} />
        </Paper>
        <Paper p="md">
          <Distributions title="Distribution" data={values} />
        </Paper>
        <Many />
        <Paper p="md" id="stack">
          <RunStack />
        </Paper>
        <Paper p="md" id="sequence">
          <Sequence />
        </Paper>
      </Stack>
    </Container>
  );
}

// Plots ask where they stand, and for what they can be copied as.
const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory(),
});
const queries = new QueryClient();
queries.setQueryData(meQuery.queryKey, {
  id: "6f0d0000-0000-4000-8000-000000000001",
  email: "ada@example.org",
  name: "Ada",
  is_admin: false,
  token: null,
  teams: [],
});
const scheme = new URLSearchParams(location.search).get("theme") === "dark" ? "dark" : "light";
createRoot(document.getElementById("root") ?? document.body).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={scheme}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
