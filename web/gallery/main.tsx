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
import { barsNames, barsOption, barsTable } from "#/shared/plots/bars";
import { boxesOption, valuesTable } from "#/shared/plots/boxes";
import { cdfNames, cdfOption } from "#/shared/plots/cdf";
import { Chart } from "#/shared/plots/Chart";
import { scatterNames, scatterOption, scatterTable } from "#/shared/plots/scatter";
import type { Range } from "#/shared/plots/stack/panel";
import { TimeStack } from "#/shared/plots/stack/TimeStack";
import { meQuery } from "#/shared/session/session";
import { StateGrid } from "#/shared/states/StateGrid";
import { cssVariables, theme } from "#/shared/theme/theme";
import { cells } from "#/testing/cells";
import { bars, combinations, sequence, stack, values } from "#/testing/examples";
import { manyBars, manyValues, weighed } from "#/testing/manySeries";
import { searches } from "#/testing/searches";
import { manyPanels } from "./manyClients";

const option = {
  bars: barsOption.bind(null, bars),
  boxes: boxesOption.bind(null, values),
  cdf: cdfOption.bind(null, values),
};

const manyOption = {
  bars: barsOption.bind(null, manyBars),
  boxes: boxesOption.bind(null, manyValues),
  cdf: cdfOption.bind(null, manyValues),
  scatter: scatterOption.bind(null, weighed),
};
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
        <Chart
          title="Many means"
          option={manyOption.bars}
          names={barsNames(manyBars)}
          table={() => barsTable(manyBars)}
        />
      </Paper>
      <Paper p="md" id="many-boxes">
        <Chart
          title="Many values"
          option={manyOption.boxes}
          names={manyValues.series.map(({ name }) => name)}
          table={() => valuesTable(manyValues)}
        />
      </Paper>
      <Paper p="md" id="many-cdf">
        <Chart
          title="Many distributions"
          option={manyOption.cdf}
          names={cdfNames(manyValues)}
          table={() => valuesTable(manyValues)}
        />
      </Paper>
      <Paper p="md" id="many-scatter">
        <Chart
          title="Two metrics weighed"
          option={manyOption.scatter}
          names={scatterNames}
          table={() => scatterTable(weighed)}
        />
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
  const shown = { ...sequence, moments: [] };
  return <TimeStack title="Packets" {...shown} range={range} onRange={setRange} />;
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
          <Chart
            title="Means"
            option={option.bars}
            names={barsNames(bars)}
            table={() => barsTable(bars)}
          />
        </Paper>
        <Paper p="md">
          <Chart
            title="Values"
            option={option.boxes}
            names={values.series.map(({ name }) => name)}
            table={() => valuesTable(values)}
          />
        </Paper>
        <Paper p="md">
          <Chart
            title="Distribution"
            option={option.cdf}
            names={cdfNames(values)}
            table={() => valuesTable(values)}
          />
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
