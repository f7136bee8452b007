import { Button, Paper } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCalendarTime, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMay } from "#/shared/session/session";
import { DocsLink } from "#/shared/docs/DocsLink";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { NewScheduleModal } from "./NewScheduleModal";
import { useSchedules } from "./queries";
import { SchedulesTable } from "./SchedulesTable";

const route = getRouteApi("/inside/teams/$team/schedules");

/** The campaigns that a team submits again and again. */
export function SchedulesPage(): ReactElement {
  const { team } = route.useParams();
  const schedules = useSchedules(team);
  const may = useMay("submit");
  const [making, make] = useDisclosure();
  return (
    <Page
      title="Schedules"
      beside={<DocsLink page="regressions.html">About nightly tests</DocsLink>}
      actions={
        may && (
          <Button leftSection={<IconPlus size={15} />} onClick={make.open}>
            New schedule
          </Button>
        )
      }
    >
      <Loaded query={schedules} height={220}>
        {({ items }) =>
          items.length === 0 ? (
            <Paper>
              <Empty
                icon={<IconCalendarTime size={36} stroke={1.4} />}
                title="Nothing is scheduled"
              >
                A schedule submits a campaign at given times: every night, say, to see what a new
                kernel or player changes.
              </Empty>
            </Paper>
          ) : (
            <SchedulesTable team={team} schedules={items} />
          )
        }
      </Loaded>
      <NewScheduleModal team={team} opened={making} onClose={make.close} />
    </Page>
  );
}
