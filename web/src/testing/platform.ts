/** Answers of the API, typed as it answers; `serve` puts them where fetch would go. */
import { vi } from "vitest";
import type { Schema } from "#/api/client";

export const me: Schema<"Me"> = {
  id: "6f0d0000-0000-4000-8000-000000000001",
  email: "ada@example.org",
  name: "Ada",
  is_admin: false,
  token: null,
  teams: [
    { slug: "qoe", name: "QoE lab", role: "submit" },
    { slug: "cdn", name: "CDN", role: "read" },
  ],
};

export const campaign: Schema<"CampaignOut"> = {
  id: "6f0d0000-0000-4000-8000-000000000002",
  name: "quickstart",
  description: "Two players share a link.",
  state: "active",
  problems: [],
  factors: ["server.congestion_control"],
  priority: 0,
  combination_count: 2,
  replicates: 5,
  run_count: 10,
  expanded: 10,
  film_s: 1200,
  has_paper: false,
  has_question: false,
  has_search: false,
  searching: false,
  subjects: {},
  counts: { succeeded: 4, failed: 2, queued: 4 },
  kernel_hash: "k",
  roles_hash: "r",
  created_by: null,
  schedule_id: null,
  cloned_from: null,
  created_at: "2026-11-21T09:00:00Z",
  started_at: "2026-11-21T09:00:01Z",
  ended_at: null,
  tags: [],
  notes: "",
  archived_at: null,
};

export const failedRun: Schema<"RunOut"> = {
  id: 7,
  campaign_id: campaign.id,
  position: 3,
  combination: 0,
  levels: { "server.congestion_control": "cubic" },
  replicate: 3,
  seed: "1",
  key: "0".repeat(32),
  state: "failed",
  reason: "client 1: half.py line 6: level 99 is not one of 0 to 4",
  attempts: 1,
  wall_s: 1.5,
  queued_at: "2026-11-21T09:00:00Z",
  started_at: "2026-11-21T09:00:01Z",
  ended_at: "2026-11-21T09:00:03Z",
  metrics: {},
};

export const problem = (status: number, title: string): Response =>
  Response.json({ type: "/problems/x", title, status, detail: "", problems: [] }, { status });

type Answer = (request: Request) => unknown;

/** "GET /api/v1/me" -> what is answered, perhaps later: a Response, or what becomes JSON. Returns what was asked. */
export function serve(answers: Record<string, Answer>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    const key = `${request.method} ${url.pathname}`;
    asked.push(key + url.search);
    const answer = (await answers[key]?.(request)) ?? problem(404, "There is no such thing");
    return answer instanceof Response ? answer : Response.json(answer);
  });
  return asked;
}
