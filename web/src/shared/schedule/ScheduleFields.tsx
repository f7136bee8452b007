import {
  Autocomplete,
  Group,
  List,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { full } from "#/shared/time/format";
import { BaselineFields, type ByVersion } from "./BaselineFields";
import { MailField } from "./MailField";
import { SubjectFields } from "./SubjectFields";
import type { KeptSecrets } from "./subjects";
import { cronWords, entries, MISSED, OVERLAPS, USUAL_TIMES, zones } from "./words";

export type Timing = Pick<
  Schema<"NewSchedule">,
  | "name"
  | "cron"
  | "timezone"
  | "overlap"
  | "missed"
  | "baseline"
  | "most_replicates"
  | "mail_to"
  | "subjects"
>;

interface FieldsProps {
  team: string;
  value: Required<Timing>;
  /** Its subjects so far, if it is there already. */
  kept?: KeptSecrets;
  /** Its baseline by what a night ran, if it is there already. */
  byVersion?: ByVersion;
  onChange: (change: Partial<Timing>) => void;
  /** What the server answered to the last try. */
  error: unknown;
}

const SHOWN = 4;

/** Its next times on the viewer's clock, or why there are none. */
function NextTimes({ team, cron, timezone }: { team: string; cron: string; timezone: string }) {
  const [asked] = useDebouncedValue(`${cron}|${timezone}`, 300);
  const [line = "", zone = ""] = asked.split("|");
  const next = api.useQuery(
    "get",
    "/api/v1/teams/{team}/schedules/preview",
    { params: { path: { team }, query: { cron: line, timezone: zone, count: SHOWN } } },
    { retry: false, staleTime: 60_000 },
  );
  const problemOf = useProblemOf(next.error);
  if (next.error)
    return (
      <Text size="xs" c="var(--weir-failed)">
        {problemOf("cron") ?? problemOf("timezone") ?? next.error.title}
      </Text>
    );
  return (
    <div aria-live="polite">
      <Text size="xs" c="dimmed">
        {cronWords(line)} ({zone}); on your clock next
      </Text>
      <List size="xs" mt={2} mih={80} styles={{ item: { fontVariantNumeric: "tabular-nums" } }}>
        {(next.data ?? []).map(({ at }) => (
          <List.Item key={at}>{full(at)}</List.Item>
        ))}
      </List>
    </div>
  );
}

/** When a schedule is due, and what it does when that does not fit. */
export function ScheduleFields({
  team,
  value,
  kept = [],
  byVersion,
  onChange,
  error,
}: FieldsProps): ReactElement {
  const problemOf = useProblemOf(error);
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        required
        data-autofocus
        value={value.name}
        error={problemOf("name")}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Group grow align="start">
        <Autocomplete
          label="When (cron)"
          required
          size="sm"
          data={USUAL_TIMES.map((each) => each.value)}
          renderOption={({ option }) => (
            <div>
              <Text size="sm" ff="monospace">
                {option.value}
              </Text>
              <Text size="xs" c="dimmed">
                {USUAL_TIMES.find((each) => each.value === option.value)?.label}
              </Text>
            </div>
          )}
          filter={({ options }) => options}
          value={value.cron}
          error={problemOf("cron")}
          onChange={(cron) => onChange({ cron })}
        />
        <Select
          label="On the clock of"
          size="sm"
          searchable
          limit={40}
          allowDeselect={false}
          data={zones()}
          value={value.timezone}
          error={problemOf("timezone")}
          onChange={(timezone) => {
            if (timezone !== null) onChange({ timezone });
          }}
        />
      </Group>
      <NextTimes team={team} cron={value.cron} timezone={value.timezone} />
      <Group grow align="start">
        <Select
          label="While an earlier one goes on"
          size="sm"
          allowDeselect={false}
          data={entries(OVERLAPS)}
          value={value.overlap}
          onChange={(overlap) => onChange({ overlap: overlap as Timing["overlap"] })}
        />
        <Select
          label="When the platform was down"
          size="sm"
          allowDeselect={false}
          data={entries(MISSED)}
          value={value.missed}
          onChange={(missed) => onChange({ missed: missed as Timing["missed"] })}
        />
      </Group>
      <BaselineFields
        value={value.baseline}
        byVersion={byVersion}
        problemOf={problemOf}
        onChange={(baseline) => onChange({ baseline })}
      />
      {(value.baseline !== "none" || byVersion?.value) && (
        <>
          <NumberInput
            label="Where it cannot be told, replicates up to"
            description="Of each combination, on both sides; 0: no more than the campaign asks for."
            size="sm"
            min={0}
            max={10_000}
            allowDecimal={false}
            value={value.most_replicates}
            error={problemOf("most_replicates")}
            onChange={(most) => onChange({ most_replicates: Number(most) })}
          />
          <MailField
            team={team}
            value={value.mail_to}
            error={problemOf("mail_to")}
            onChange={(mail_to) => onChange({ mail_to })}
          />
        </>
      )}
      <SubjectFields
        value={value.subjects}
        kept={kept}
        problemOf={problemOf}
        onChange={(subjects) => onChange({ subjects })}
      />
    </Stack>
  );
}
