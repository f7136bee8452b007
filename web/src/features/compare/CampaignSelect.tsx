import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { day } from "#/shared/time/format";

interface CampaignSelectProps {
  team: string;
  label: string;
  value: Schema<"CampaignOut"> | undefined;
  id: string | undefined;
  onChange: (campaign: string) => void;
}

const OFFERED = 20;
const TYPED_MS = 250;

function named({ name, created_at: at, run_count: runs }: Schema<"CampaignOut">): string {
  return `${name} – ${day(at)}, ${runs} runs`;
}

/** Chooses a campaign of the team by its name, among the newest that fit. */
export function CampaignSelect(props: CampaignSelectProps): ReactElement {
  const { team, label, value, id, onChange } = props;
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed, TYPED_MS);
  const isChosen = value !== undefined && name === named(value);
  const { data, isFetching } = api.useQuery(
    "get",
    "/api/v1/teams/{team}/campaigns",
    {
      params: {
        path: { team },
        query: { limit: OFFERED, name_part: name === "" || isChosen ? undefined : name },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const found = data?.items ?? [];
  const offered =
    value === undefined || found.some((each) => each.id === value.id) ? found : [value, ...found];
  return (
    <Select
      label={label}
      placeholder="Choose a campaign"
      w={{ base: "100%", sm: 340 }}
      searchable
      allowDeselect={false}
      value={id ?? null}
      data={offered.map((each) => ({ value: each.id, label: named(each) }))}
      onSearchChange={setTyped}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage="No campaign fits"
      rightSection={isFetching ? <Loader size={14} /> : undefined}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  );
}
