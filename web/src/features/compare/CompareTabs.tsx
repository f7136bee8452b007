import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";

/** Two campaigns, or two runs. */
export function CompareTabs(props: { team: string; value: "campaigns" | "runs" }): ReactElement {
  const { team, value } = props;
  const navigate = useNavigate();
  return (
    <Tabs
      value={value}
      onChange={(next) =>
        void navigate({
          to: next === "runs" ? "/teams/$team/compare/runs" : "/teams/$team/compare",
          params: { team },
        })
      }
    >
      <Tabs.List>
        <Tabs.Tab value="campaigns">Two campaigns</Tabs.Tab>
        <Tabs.Tab value="runs">Two runs</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
