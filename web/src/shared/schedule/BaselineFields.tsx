import { Select, TextInput } from "@mantine/core";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { BASELINES, baselineWords, entries } from "./words";

export type VersionRan = Schema<"VersionRan">;

/** What a schedule that has nights may choose by what they ran. */
export interface ByVersion {
  /** null: not by a version. */
  value: VersionRan | null;
  onChange: (value: VersionRan | null) => void;
  /** Names of the files that are under test. */
  subjects: readonly string[];
}

interface FieldsProps {
  value: string;
  onChange: (baseline: string) => void;
  byVersion?: ByVersion | undefined;
  problemOf: (path: string) => string | undefined;
}

const BY_VERSION = "version";
const BY_VERSION_WORDS = "the night of a commit or release";

/** What each campaign of a schedule is compared with. */
export function BaselineFields({
  value,
  onChange,
  byVersion,
  problemOf,
}: FieldsProps): ReactElement {
  const choices = {
    ...BASELINES,
    [value]: baselineWords(value),
    ...(byVersion && { [BY_VERSION]: BY_VERSION_WORDS }),
  };
  const ran = byVersion?.value ?? null;
  return (
    <>
      <Select
        label="Compare each campaign with"
        description="Which metrics became worse is told here, and by webhooks."
        size="sm"
        allowDeselect={false}
        data={entries(choices)}
        value={ran === null ? value : BY_VERSION}
        error={problemOf("baseline")}
        onChange={(chosen) => {
          if (chosen === null) return;
          byVersion?.onChange(chosen === BY_VERSION ? { version: "" } : null);
          if (chosen !== BY_VERSION) onChange(chosen);
        }}
      />
      {byVersion && ran !== null && (
        <TextInput
          label="Commit or release"
          description="A commit, of which 7 digits are enough; a tag; or what an upload was called."
          required
          size="sm"
          maxLength={100}
          value={ran.version}
          error={problemOf("baseline.version")}
          onChange={(event) => byVersion.onChange({ ...ran, version: event.currentTarget.value })}
        />
      )}
      {byVersion && ran !== null && (byVersion.subjects.length > 1 || ran.subject) && (
        <Select
          label="Of the file"
          size="sm"
          clearable
          placeholder="any"
          data={[...byVersion.subjects]}
          value={ran.subject ?? null}
          error={problemOf("baseline.subject")}
          onChange={(subject) => byVersion.onChange({ ...ran, subject })}
        />
      )}
    </>
  );
}
