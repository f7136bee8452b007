import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { open } from "#/testing/open";
import { campaign, problem, serve } from "#/testing/platform";
import { answersInto, HERE, keeping, schedule } from "#/testing/schedules";

const bodies: unknown[] = [];
const answers = answersInto(bodies);
const kept = keeping(bodies);

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
it("lists schedules in words, and switches one off", async () => {
  serve(answers);
  open("/teams/qoe/schedules");
  expect(await screen.findByRole("link", { name: "nightly" })).toBeVisible();
  expect(screen.getByText(/At 02:30/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("switch", { name: "nightly is on" }));
  await vi.waitFor(() => expect(bodies).toEqual([{ enabled: false }]), { timeout: 30_000 });
});

it("puts another campaign into a schedule, and leaves the rest as it is", async () => {
  serve(answers);
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByLabelText(/Campaign/, { selector: "input" }));
  await userEvent.click(await screen.findByText(/^quickstart of/));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const { name, cron, timezone, overlap, missed, baseline, most_replicates } = schedule;
  const timing = { name, cron, timezone, overlap, missed, baseline, most_replicates };
  const wanted = [{ ...timing, campaign_id: campaign.id }];
  await vi.waitFor(() => expect(bodies).toEqual(wanted), { timeout: 30_000 });
});

it("takes the night of a release as the baseline, or says why not", async () => {
  const remedy = "run it as a night, and choose it then";
  const wrong = { path: "baseline.version", value: "v2.1", allowed: "what a night ran", remedy };
  const refused = { type: "/problems/x", title: "1 problem", status: 422, problems: [wrong] };
  let ran = false;
  serve({
    ...answers,
    [`PATCH ${HERE}`]: (request: Request) =>
      ran ? kept(request) : Response.json(refused, { status: 422 }),
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByLabelText("Compare each campaign with", { selector: "input" }));
  await userEvent.click(await screen.findByText("the night of a commit or release"));
  await userEvent.type(dialog.getByLabelText(/Commit or release/), "v2.1");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(remedy)).toBeVisible();
  ran = true;
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(
    () => expect(bodies).toMatchObject([{ name: "nightly", baseline: { version: "v2.1" } }]),
    { timeout: 30_000 },
  );
});

it("says beside the field what is wrong with it", async () => {
  const refusal = {
    ...{ type: "/problems/unprocessable", title: "The input has errors", status: 422, detail: "" },
    problems: [{ path: "cron", value: "x", allowed: "five fields", remedy: "give five fields" }],
  };
  serve({ ...answers, [`PATCH ${HERE}`]: () => Response.json(refusal, { status: 422 }) });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("give five fields");
  expect(screen.getByRole("dialog")).toBeInTheDocument();
});

it("lets those who may only read look, and nothing more", async () => {
  serve(answers);
  open("/teams/cdn/schedules");
  expect(await screen.findByRole("switch", { name: "nightly is on" })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "New schedule" })).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "nightly" }));
  expect(await screen.findByText("What it submits")).toBeVisible();
  for (const name of ["Edit", "Delete", "Run now"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

it("shows why a schedule cannot be shown", async () => {
  serve({ ...answers, [`GET ${HERE}`]: () => problem(404, "There is no such thing") });
  open(`/teams/qoe/schedules/${schedule.id}`);
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such thing");
});
