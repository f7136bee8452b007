import { Button, Center, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, type ReactElement } from "react";
import { client, type Schema } from "#/api/client";
import { DocsLink } from "#/shared/docs/DocsLink";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";

const QUICKSTART = "quickstart.yaml";
/** Of the drawing, so that nothing moves when it comes. */
const HEIGHT_PX = 190;

type Validation = Schema<"Validation">;

// Most teams have campaigns, and need none of it.
const CellDrawing = lazy(() =>
  import("#/shared/cell/CellDrawing").then((found) => ({ default: found.CellDrawing })),
);

/** What the server makes of the quickstart; null where none is shipped. */
async function quickstart(team: string): Promise<Validation | null> {
  const library = await client.GET("/api/v1/library/campaigns");
  if (library.data === undefined) throw library.error;
  const found = library.data.find(({ path }) => path === QUICKSTART);
  if (found === undefined) return null;
  const { data, error } = await client.POST("/api/v1/teams/{team}/campaigns/validate", {
    params: { path: { team } },
    body: { document: found.document, files: found.files, overrides: {}, priority: 0 },
  });
  if (data === undefined) throw error;
  return data;
}

function Drawing({ team }: { team: string }): ReactElement | null {
  const { data: found, error } = useQuery({
    queryKey: ["quickstart", team],
    queryFn: () => quickstart(team),
    staleTime: Infinity,
  });
  if (error !== null) return <ProblemAlert error={error} />;
  if (found === null) return null;
  const coming = <Skeleton height={HEIGHT_PX} role="status" aria-busy aria-label="Loading" />;
  if (found === undefined) return coming;
  const { cell, problems } = found;
  if (cell == null)
    return (
      <ProblemAlert error={{ status: 422, title: "The quickstart is refused here", problems }} />
    );
  return (
    <Suspense fallback={coming}>
      <div>
        <CellDrawing cell={cell} live />
        <Text size="xs" c="dimmed" ta="center" mt={4}>
          The quickstart: a server, a gateway and players. Does shaping calm two of them?
        </Text>
      </div>
    </Suspense>
  );
}

/** What this is, and the shortest way to a first answer. */
export function FirstCampaign({ team, may }: { team: string; may: boolean }): ReactElement {
  return (
    <Center py={40} px="md">
      <Stack gap="lg" w="100%" maw={920}>
        <Stack gap={6} align="center">
          <Text fw={600}>No campaigns yet</Text>
          <Text c="dimmed" size="sm" ta="center" maw={620}>
            Weir streams films over real Linux TCP through links, queues and shaping of your choice,
            many times over, and says what each choice does to the viewers. A campaign varies parts
            of an experiment and runs every combination.{" "}
            <DocsLink page="tutorial.html">Tutorial</DocsLink>
          </Text>
        </Stack>
        {may && <Drawing team={team} />}
        {may && (
          <Group justify="center" gap="sm">
            <Button
              renderRoot={(props) => (
                <Link to="/teams/$team/campaigns/new" params={{ team }} {...props} />
              )}
            >
              Ask: does X beat Y?
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/teams/$team/campaigns/new"
                  params={{ team }}
                  search={{ shipped: QUICKSTART }}
                  {...props}
                />
              )}
            >
              Begin with the quickstart
            </Button>
          </Group>
        )}
      </Stack>
    </Center>
  );
}
