import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Schema } from "#/api/client";
import { open } from "#/testing/open";
import { me, problem, serve } from "#/testing/platform";

const quickstart: Schema<"ShippedOut"> = {
  path: "quickstart.yaml",
  name: "quickstart",
  description: "",
  document: "name: quickstart\n",
  files: {},
  runs: 18,
  factors: [],
};
const refused = {
  valid: false,
  problems: [{ path: "clock", value: "real", allowed: "virtual", remedy: "ask for another" }],
  runs: null,
};
const inside = {
  "GET /api/v1/me": () => me,
  "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
  "GET /api/v1/teams/qoe/campaigns": () => ({ items: [], next: null }),
  "GET /api/v1/teams/qoe/tags": () => ({ items: [], next: null }),
  "GET /api/v1/library/campaigns": () => [quickstart],
};

it("says for what the quickstart would be refused", async () => {
  serve({ ...inside, "POST /api/v1/teams/qoe/campaigns/validate": () => refused });
  open("/teams/qoe/campaigns");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    /refused here.*clock.*ask for another/,
  );
});

it("says that the quickstart may not be asked for", async () => {
  const no = (): Response => problem(409, "The installation takes no campaigns");
  serve({ ...inside, "POST /api/v1/teams/qoe/campaigns/validate": no });
  open("/teams/qoe/campaigns");
  expect(await screen.findByRole("alert")).toHaveTextContent("The installation takes no campaigns");
});
