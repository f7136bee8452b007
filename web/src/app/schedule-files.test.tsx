import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { open } from "#/testing/open";
import { serve } from "#/testing/platform";
import { answersInto, HERE, schedule } from "#/testing/schedules";

const bodies: unknown[] = [];
const answers = answersInto(bodies);

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
const SUBJECT = {
  ...{ name: "player.py", repository: "https://git.example.org/player.git", branch: "main" },
  path: "abr.py",
};

async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field);
  await userEvent.paste(text);
}

it("takes a file from git, and says beside its fields what is wrong", async () => {
  const refusal = {
    ...{ type: "/problems/unprocessable", title: "The input has errors", status: 422, detail: "" },
    problems: [
      { path: "subjects.player.py.branch", value: "x", allowed: "a branch of it", remedy: "gone" },
      { path: "subjects.player.py.secret_token", value: null, allowed: "", remedy: "wrong token" },
    ],
  };
  let accepted = false;
  serve({
    ...answers,
    [`PATCH ${HERE}`]: async (request: Request) => {
      bodies.push(await request.json());
      return accepted ? Response.json(schedule) : Response.json(refusal, { status: 422 });
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Add a file" }));
  const file = within(dialog.getByRole("group", { name: "File under test 1" }));
  await fill(file.getByLabelText(/File of the campaign/), SUBJECT.name);
  await fill(file.getByLabelText(/Repository/), SUBJECT.repository);
  await fill(file.getByLabelText(/Path in it/), SUBJECT.path);
  await fill(file.getByLabelText("Token"), "glpat-secret");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await file.findByText("wrong token")).toBeVisible();
  expect(file.getByLabelText("Token")).toBeInvalid();
  expect(file.getByLabelText(/Branch/)).toBeInvalid();
  expect(file.getByLabelText(/Repository/)).toBeValid();
  accepted = true;
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(bodies).toHaveLength(2), { timeout: 30_000 });
  const given = { ...SUBJECT, secret_token: "glpat-secret", secret_key: null };
  expect(bodies[1]).toMatchObject({ subjects: [given] });
});

it("keeps a secret with its repository, and asks for a key where ssh is used", async () => {
  const kept = { ...SUBJECT, secret: "token" as const };
  serve({ ...answers, [`GET ${HERE}`]: () => ({ ...schedule, subjects: [kept] }) });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  const token = dialog.getByLabelText("Token");
  expect(token).toHaveValue("");
  expect(token).toHaveAttribute("placeholder", "as it is; it is not shown");
  await fill(token, "typed");
  const repository = dialog.getByLabelText(/Repository/);
  await fill(repository, "git@git.example.org:player.git");
  expect(dialog.queryByLabelText("Token")).toBeNull();
  await fill(dialog.getByLabelText("Private key"), "a key");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const moved = { ...SUBJECT, repository: "git@git.example.org:player.git", secret_token: null };
  await vi.waitFor(
    () => expect(bodies).toMatchObject([{ subjects: [{ ...moved, secret_key: "a key" }] }]),
    { timeout: 30_000 },
  );
});

it("chooses who is told, and takes a file out", async () => {
  const grace = { email: "grace@example.org", name: "Grace", role: "read" };
  const member = { ...grace, user_id: "6f0d0000-0000-4000-8000-000000000009" };
  const kept = { ...SUBJECT, secret: "none" as const };
  const asked = serve({
    ...answers,
    [`GET ${HERE}`]: () => ({ ...schedule, mail_to: ["ada@example.org"], subjects: [kept] }),
    "GET /api/v1/teams/qoe/members": () => ({ items: [member], next: null }),
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("ada@example.org")).toBeVisible();
  expect(asked.filter((each) => each.includes("/members"))).toEqual([]);
  await userEvent.click(dialog.getByLabelText(/Told by e-mail/, { selector: "input" }));
  await userEvent.click(await screen.findByText("Grace, grace@example.org"));
  await userEvent.click(dialog.getByRole("button", { name: "Take it out" }));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const told = ["ada@example.org", "grace@example.org"];
  await vi.waitFor(() => expect(bodies).toMatchObject([{ mail_to: told, subjects: [] }]), {
    timeout: 30_000,
  });
});
