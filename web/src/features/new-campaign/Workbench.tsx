import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconCalendarTime, IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState, type ReactElement } from "react";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { api } from "#/api/client";
import { DocsLink } from "#/shared/docs/DocsLink";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { Confirm } from "#/shared/ui/Confirm";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { runCount } from "#/shared/units/format";
import { CellPreview } from "./CellPreview";
import { bodyOf, useCheck } from "./check";
import { CostSummary } from "./CostSummary";
import type { ChangeDraft, Draft } from "./draft";
import { sentenceOf } from "./editor/diagnostics";
import { YamlEditor } from "./editor/YamlEditor";
import { FactorsPanel } from "./FactorsPanel";
import { FilesPanel } from "./FilesPanel";
import { CampaignForm } from "./form/CampaignForm";
import classes from "./page.module.css";
import { ScheduleModal } from "./ScheduleModal";
import { useKnowledge } from "./knowledge";
import { asTree, read } from "./yamlText";

interface BenchProps {
  team: string;
  draft: Draft;
  onChange: ChangeDraft;
  /** It was submitted, scheduled or thrown away. */
  onDone: () => void;
}

/** The same draft with the same content has the same key, also after a reload. */
function keyOf(draft: Draft): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([draft.id, bodyOf(draft)]))));
}

/** The draft at work: drawing, form or YAML, factors, cost, files; then submit or schedule. */
export function Workbench({ team, draft, onChange, onDone }: BenchProps): ReactElement {
  const [view, setView] = useLocalStorage<"form" | "yaml">({
    key: "weir-campaign-view",
    defaultValue: "form",
    getInitialValueInEffect: false,
  });
  const [discarding, discard] = useDisclosure();
  const [scheduling, schedule] = useDisclosure();
  const [submitted, setSubmitted] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const knowledge = useKnowledge();
  const { value: campaign, errors } = useMemo(() => read(draft.text), [draft.text]);
  const check = useCheck(team, draft);
  const problems = useMemo(
    () => (check.validation.isPlaceholderData ? [] : (check.validation.data?.problems ?? [])),
    [check.validation.data, check.validation.isPlaceholderData],
  );
  const submit = api.useMutation("post", "/api/v1/teams/{team}/campaigns", {
    onSuccess: async ({ id }) => {
      setSubmitted(true);
      await navigate({ to: "/teams/$team/campaigns/$campaign", params: { team, campaign: id } });
      onDone();
      await queries.invalidateQueries();
    },
  });
  const ready =
    check.settled &&
    check.validation.data?.valid === true &&
    check.estimate.data?.allowed !== false &&
    !submitted;
  const setText = (text: string): void => onChange({ text });
  const name = typeof campaign.name === "string" ? campaign.name : "";
  const runs = check.validation.data?.runs ?? null;

  return (
    <Page
      title="New campaign"
      beside={
        <Text size="sm" c="dimmed">
          {draft.origin === "" ? "from nothing" : `from ${draft.origin}`}, kept in this browser.{" "}
          <DocsLink inherit page="reference/fields.html">
            Every field
          </DocsLink>
        </Text>
      }
      actions={
        <>
          <Button variant="subtle" color="gray" onClick={discard.open}>
            Begin anew
          </Button>
          <Button
            variant="default"
            leftSection={<IconCalendarTime size={15} />}
            disabled={!ready}
            onClick={schedule.open}
          >
            Schedule
          </Button>
          <Button
            leftSection={<IconSend size={15} />}
            disabled={!ready}
            loading={submit.isPending || submitted}
            onClick={() =>
              submit.mutate({
                params: { path: { team }, header: { "Idempotency-Key": keyOf(draft) } },
                body: bodyOf(draft),
              })
            }
          >
            {ready && runs !== null ? `Submit ${runCount(runs)}` : "Submit"}
          </Button>
        </>
      }
    >
      {submit.error && <ProblemAlert error={submit.error} />}
      <Paper p="md">
        <CellPreview cell={check.validation.data?.cell ?? null} />
      </Paper>
      <Loaded query={knowledge} height={400}>
        {(known) => (
          <div className={classes.columns}>
            <Paper p="md" component="section" aria-label="The campaign">
              <Group justify="space-between" mb="xs">
                <SegmentedControl
                  size="xs"
                  aria-label="How the campaign is shown"
                  value={view}
                  onChange={(next) => setView(next)}
                  data={[
                    { value: "form", label: "Form" },
                    { value: "yaml", label: "YAML" },
                  ]}
                />
                <Text size="xs" c="dimmed">
                  {view === "yaml" ? "Ctrl+Space completes" : "Both edit the same text"}
                </Text>
              </Group>
              {view === "yaml" ? (
                <YamlEditor
                  text={draft.text}
                  onChange={setText}
                  problems={problems}
                  knowledge={known}
                />
              ) : (
                <CampaignForm
                  text={draft.text}
                  onChange={setText}
                  schema={known.schema}
                  choices={known.choices}
                  problems={problems}
                />
              )}
            </Paper>
            <div className={classes.side}>
              {errors.length === 0 && problems.length > 0 && (
                <Alert
                  variant="default"
                  title={
                    problems.length === 1 ? "1 thing to mend" : `${problems.length} things to mend`
                  }
                  style={{ borderInlineStart: "3px solid var(--weir-failed)" }}
                >
                  <Stack gap={4}>
                    {problems.slice(0, 6).map((problem) => (
                      <Text key={`${problem.path} ${problem.remedy}`} size="xs">
                        <Text span ff="monospace" size="xs" fw={600}>
                          {problem.path.replace(/^experiment\./, "")}
                        </Text>{" "}
                        {sentenceOf(problem)}
                      </Text>
                    ))}
                  </Stack>
                </Alert>
              )}
              <FactorsPanel
                campaign={campaign}
                text={draft.text}
                onChange={errors.length === 0 ? setText : null}
                schema={known.schema}
                choices={known.choices}
                summary={<CostSummary {...check} />}
              />
              <FilesPanel
                team={team}
                campaign={asTree(campaign)}
                files={draft.files}
                onChange={(files) => onChange({ files })}
              />
            </div>
          </div>
        )}
      </Loaded>
      <Confirm
        opened={discarding}
        onClose={discard.close}
        title="Throw this draft away?"
        action="Throw it away"
        onConfirm={onDone}
      >
        What you wrote here was not submitted, and is kept nowhere else.
      </Confirm>
      <ScheduleModal
        key={name}
        team={team}
        name={name}
        body={bodyOf(draft)}
        opened={scheduling}
        onClose={schedule.close}
        onMade={onDone}
      />
    </Page>
  );
}
