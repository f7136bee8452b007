/** Who is in the story, and small things that every step does. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { APIRequestContext, Download, Locator, Page } from "playwright-core";
import type { Person } from "./platform";

export const ROOT: Person = { email: "root@example.org", password: "the keeper of all keys" };
export const ADA: Person = { email: "ada@example.org", password: "analytical engine" };
export const BOB: Person = { email: "bob@example.org", password: "builder of bridges" };
export const TEAM = "qoe-lab";
export const OTHER_TEAM = "bridge-lab";

const quickstart = readFileSync(
  fileURLToPath(new URL("../../campaigns/quickstart.yaml", import.meta.url)),
  "utf8",
);

/** The quickstart with a film of 20 s, twice per cell; with another headroom where one is named. */
export function shortened(name: string, headroom = "10%"): string {
  return quickstart
    .replace("name: quickstart", `name: ${name}`)
    .replace("duration: 120s", "duration: 20s")
    .replace("replicates: 3", "replicates: 2")
    .replace("headroom: 10%", `headroom: ${headroom}`);
}

async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const answer = await request.post(`/api/v1/${path}`, { data });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
}

/** Two teams with a member each, made by the installation's administrator. */
export async function makeTeams(request: APIRequestContext): Promise<void> {
  await post(request, "session", ROOT);
  for (const [slug, name, person] of [
    [TEAM, "QoE lab", ADA],
    [OTHER_TEAM, "Bridge lab", BOB],
  ] as const) {
    await post(request, "teams", { slug, name });
    await post(request, "users", { ...person, name: person.email.replace(/@.*/, "") });
    await post(request, `teams/${slug}/members`, { email: person.email, role: "admin" });
  }
}

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Puts a text in place of the whole campaign in the YAML editor. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByText("YAML", { exact: true }).click();
  await page.getByLabel("The campaign as YAML").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

export async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8");
}

/** What a plot's menu, within an element, downloads: "Picture (SVG)", "Data (CSV)". */
export async function downloaded(page: Page, within: Locator, kind: string): Promise<string> {
  await within.getByRole("button", { name: /^Download / }).click();
  const coming = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: kind }).click();
  return textOf(await coming);
}

const HALF = `class Half:
    def __init__(self, ladder, options):
        self.ladder = ladder

    def choose(self, state):
        return self.ladder.index(state.segment) if state.segment == 4 else 0
`;

/** Submits a campaign of one run whose player fails at its fifth segment; the campaign's id. */
export async function submitFailing(request: APIRequestContext): Promise<string> {
  const sha256 = createHash("sha256").update(HALF).digest("hex");
  const path = `/api/v1/teams/${TEAM}`;
  const kept = await request.put(`${path}/files/${sha256}`, {
    data: Buffer.from(HALF),
    headers: { "Content-Type": "application/octet-stream" },
  });
  if (!kept.ok()) throw new Error(`${kept.status()} ${await kept.text()}`);
  const document = `name: failing
experiment:
  duration: 20s
  content: {ladder: [248kbit/s, 928kbit/s], segment: 2s}
  gateway: {downlink: {rate: 8Mbit/s}, path: {rtt: {mean: 40ms}}}
  clients: [{player: ./half.py}]
`;
  const data = { document, files: { "half.py": sha256 } };
  const made = await request.post(`${path}/campaigns`, { data });
  if (!made.ok()) throw new Error(`${made.status()} ${await made.text()}`);
  return ((await made.json()) as { id: string }).id;
}
