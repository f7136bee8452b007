/** Drafts from what there is: shipped campaigns, past ones, schedules, nothing. */
import { client, type Schema } from "#/api/client";
import { newDraft, type Draft } from "./draft";
import { pathOf } from "./factors";
import { ORDER } from "./order";
import { asTree, read, textOf, withValue } from "./yamlText";

const EMPTY_TEXT = `name: untitled
description: ""

experiment:
  duration: 120s
  content:
    ladder: [248kbit/s, 456kbit/s, 928kbit/s, 1632kbit/s, 4256kbit/s]
    segment: 2s
  server: {http: nginx, congestion_control: cubic}
  gateway:
    downlink:
      rate: 8Mbit/s
      queue: {discipline: drop-tail, limit: 1bdp}
    path:
      rtt: {mean: 40ms, stddev: 2ms}
  clients:
    - {player: aggressive-rate, count: 2}

factors: {}

replicates: 3
seed: 1
`;

export function fromNothing(): Draft {
  return newDraft({ origin: "", text: EMPTY_TEXT });
}

export function fromShipped(shipped: Schema<"ShippedOut">): Draft {
  const text = textOf(read(shipped.document).value, ORDER);
  return newDraft({ origin: shipped.name, text, files: shipped.files });
}

type Asked = Pick<
  Schema<"CampaignIn">,
  "document" | "files" | "overrides" | "replicates" | "seed" | "priority"
>;

/** One that was submitted, with what was asked beside the document written into it. */
function fromAsked(origin: string, asked: Asked): Draft {
  let text = asked.document;
  for (const [path, value] of Object.entries(asTree(asked.overrides)))
    text = withValue(text, ["experiment", ...pathOf(path)], value);
  for (const key of ["replicates", "seed"] as const) {
    const value = asked[key];
    if (value !== null && value !== undefined) text = withValue(text, [key], value);
  }
  return newDraft({ origin, text, files: asked.files, priority: asked.priority });
}

async function answered<Data>(request: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data, error } = await request;
  if (data === undefined) throw error;
  return data;
}

export async function fromCampaign(campaign: string): Promise<Draft> {
  const params = { params: { path: { campaign } } };
  const [about, asked] = await Promise.all([
    answered(client.GET("/api/v1/campaigns/{campaign}", params)),
    answered(client.GET("/api/v1/campaigns/{campaign}/document", params)),
  ]);
  return fromAsked(about.name, { ...asked, priority: about.priority });
}

export async function fromSchedule(schedule: string): Promise<Draft> {
  const params = { params: { path: { schedule } } };
  const found = await answered(client.GET("/api/v1/schedules/{schedule}", params));
  return fromAsked(found.name, found.campaign);
}

export async function fromShippedPath(path: string): Promise<Draft> {
  const all = await answered(client.GET("/api/v1/library/campaigns"));
  const found = all.find((each) => each.path === path);
  if (found === undefined) throw new Error(`no campaign ${path} is shipped`);
  return fromShipped(found);
}
