import { Chip, Group, MultiSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useRef, useState, type ReactElement } from "react";
import { useShortcut } from "#/shared/keys/shortcuts";
import { useTags } from "./queries";
import { CAMPAIGN_STATES, type CampaignsSearch } from "./search";

interface FilterProps {
  team: string;
  search: CampaignsSearch;
  onChange: (next: CampaignsSearch) => void;
}

/** Which campaigns a list shows: by name, tags and states; archived ones are a list of their own. */
export function CampaignsFilter({ team, search, onChange }: FilterProps): ReactElement {
  const { state = [], name, tag = [], archived = false } = search;
  const [typed, setTyped] = useState(name ?? "");
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", "Search by name", () => field.current?.focus());
  const tags = useTags(team);
  const known = new Set([...(tags.data?.items.map((each) => each.tag) ?? []), ...tag]);
  const find = useDebouncedCallback((text: string) => {
    onChange({ name: text === "" ? undefined : text });
  }, 250);
  return (
    <Group gap="sm">
      <TextInput
        ref={field}
        size="xs"
        w={220}
        aria-label="Search by name"
        placeholder="Name"
        leftSection={<IconSearch size={14} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          find(event.currentTarget.value);
        }}
      />
      {known.size > 0 && (
        <MultiSelect
          size="xs"
          w={{ base: "100%", xs: 220 }}
          aria-label="With all of these tags"
          placeholder={tag.length === 0 ? "Tags" : ""}
          searchable
          clearable
          hidePickedOptions
          data={[...known]}
          value={tag}
          onChange={(chosen) => onChange({ tag: chosen.length === 0 ? undefined : chosen })}
        />
      )}
      <Chip.Group
        multiple
        value={state}
        onChange={(chosen) =>
          onChange({
            state: chosen.length === 0 ? undefined : chosen,
          })
        }
      >
        <Group gap={6}>
          {CAMPAIGN_STATES.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {each}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Chip
        size="xs"
        variant="outline"
        checked={archived}
        onChange={(on) => onChange({ archived: on || undefined })}
      >
        archived
      </Chip>
    </Group>
  );
}
