import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Choices } from "../choices";
import type { JsonSchema } from "../schema";
import { show, written } from "./written";

const schema: JsonSchema = {
  properties: {
    name: { type: "string" },
    description: { type: "string", default: "" },
    replicates: { type: "integer", default: 1 },
    seed: { type: "integer", default: 1 },
    experiment: {
      type: "object",
      required: ["duration"],
      properties: {
        duration: { type: "string" },
        server: {
          type: "object",
          properties: {
            http: { type: "string", enum: ["nginx", "apache"], default: "nginx" },
            congestion_control: { type: "string", default: "cubic" },
          },
        },
        gateway: {
          type: "object",
          properties: {
            downlink: { anyOf: [{ $ref: "#/$defs/Link" }, { type: "null" }], default: null },
            path: { $ref: "#/$defs/Path" },
            paths: {
              type: "object",
              description: "Several paths.",
              default: {},
              patternProperties: { "^[a-z][a-z0-9-]*$": { $ref: "#/$defs/NamedPath" } },
              propertyNames: { maxLength: 12 },
            },
          },
        },
        clients: {
          type: "array",
          items: {
            type: "object",
            properties: {
              player: { type: "string" },
              paths: { type: "array", items: { type: "string" }, default: [] },
              transport: { type: "string", enum: ["tcp", "mptcp"], default: "tcp" },
              backup: { type: "array", items: { type: "string" }, default: [] },
            },
          },
        },
      },
    },
  },
  $defs: {
    Link: { type: "object", properties: { rate: { type: "string" } }, required: ["rate"] },
    Rtt: { type: "object", properties: { mean: { type: "string" } } },
    Path: { type: "object", properties: { rtt: { $ref: "#/$defs/Rtt" } } },
    NamedPath: {
      type: "object",
      properties: { downlink: { $ref: "#/$defs/Link" }, rtt: { $ref: "#/$defs/Rtt" } },
      required: ["downlink"],
    },
  },
};
const choices: Choices = {
  players: [],
  congestion_controls: ["cubic", "illinois"],
  metrics: [],
};

const searching: JsonSchema = {
  properties: {
    ...schema.properties,
    search: { anyOf: [{ $ref: "#/$defs/Search" }, { type: "null" }], default: null },
  },
  $defs: {
    ...schema.$defs,
    Search: {
      type: "object",
      properties: {
        factor: { type: "string" },
        from: { anyOf: [{ type: "string" }, { type: "integer" }] },
        passes: { $ref: "#/$defs/Passes" },
      },
      required: ["factor", "from", "passes"],
    },
    Passes: { type: "object", properties: { metric: { type: "string" } } },
  },
};

const problem = (path: string, remedy: string) => ({ path, value: null, allowed: "", remedy });

const form = (text: string): void =>
  show(text, schema, { choices, problems: [problem("experiment.duration", "add the unit")] });

const TEXT = "name: quick # mine\nexperiment:\n  duration: 20\n";

it("writes into the text what is typed into a field, and says what is wrong with it", async () => {
  form(TEXT);
  expect(screen.getByText(/add the unit/)).toBeVisible();
  await userEvent.type(screen.getByRole("textbox", { name: "duration" }), "s");
  expect(written()).toBe("name: quick # mine\nexperiment:\n  duration: 20s\n");
  await userEvent.type(screen.getByRole("textbox", { name: "replicates" }), "5");
  expect(written()).toContain("replicates: 5\n");
  await userEvent.clear(screen.getByRole("textbox", { name: "replicates" }));
  expect(written()).not.toContain("replicates");
});

it("makes a factor of a field, whose levels stand there then", async () => {
  form(TEXT);
  await userEvent.click(screen.getByRole("button", { name: "Vary server congestion control" }));
  expect(written()).toContain("factors:\n  server.congestion_control: [cubic]\n");
  expect(screen.queryByRole("textbox", { name: "server congestion control" })).toBeNull();
  expect(screen.getByText("varied")).toBeVisible();
});

it("makes a factor of a part as a whole, whose levels stand in its place", async () => {
  form(ONE_PATH);
  await userEvent.click(screen.getByRole("button", { name: "Vary gateway path rtt" }));
  expect(parse(written())).toMatchObject({ factors: { "gateway.path.rtt": [{ mean: "20ms" }] } });
  expect(written()).not.toContain("path: {rtt:");
  expect(screen.queryByRole("textbox", { name: "gateway path rtt mean" })).toBeNull();
  expect(screen.getByText('{"mean":"20ms"}')).toBeVisible();
});

it("waits while the text is no YAML", () => {
  form("name: [\n");
  expect(screen.getByText("This is no YAML at the moment")).toBeVisible();
});

const ONE_PATH = `name: quick
experiment:
  duration: 20s
  gateway:
    downlink: {rate: 4Mbit/s}
    path: {rtt: {mean: 20ms}}
  clients:
    - player: bola # the viewer
`;

const campaign = (): unknown => parse(written());

it("makes two named paths of one, and a client that uses both", async () => {
  const user = userEvent.setup();
  form(ONE_PATH);
  const gateway = screen.getByRole("button", { name: "paths" });
  await user.click(gateway);
  const another = (): HTMLElement => screen.getByRole("textbox", { name: "Name of another path" });
  await user.type(another(), "wifi{Enter}");
  // The first one has the links that were there, which would stand beside it otherwise.
  expect(campaign()).toMatchObject({
    experiment: {
      gateway: { paths: { wifi: { downlink: { rate: "4Mbit/s" }, rtt: { mean: "20ms" } } } },
    },
  });
  expect(written()).not.toMatch(/^ {4}(downlink|path):/m);
  expect(screen.queryByRole("textbox", { name: "gateway downlink rate" })).toBeNull();
  await user.type(another(), "lte");
  await user.click(screen.getByRole("button", { name: "add" }));
  const rtt = screen.getByRole("textbox", { name: "gateway paths lte rtt mean" });
  await user.clear(rtt);
  await user.type(rtt, "60ms");
  await user.click(screen.getByRole("combobox", { name: "client 1 transport" }));
  await user.click(await screen.findByRole("option", { name: "mptcp", hidden: true }));
  const paths = screen.getByRole("combobox", { name: "client 1 paths" });
  await user.click(paths);
  // For its paths, and for those that are backups.
  expect(screen.getAllByRole("option", { name: "lte", hidden: true })).toHaveLength(2);
  await user.type(paths, "wifi{Enter}lte{Enter}");
  await user.type(screen.getByRole("combobox", { name: "client 1 backup" }), "lte{Enter}");
  expect(written()).toContain("# the viewer");
  expect(campaign()).toEqual({
    name: "quick",
    experiment: {
      duration: "20s",
      gateway: {
        paths: {
          wifi: { downlink: { rate: "4Mbit/s" }, rtt: { mean: "20ms" } },
          lte: { downlink: { rate: "4Mbit/s" }, rtt: { mean: "60ms" } },
        },
      },
      clients: [{ player: "bola", transport: "mptcp", paths: ["wifi", "lte"], backup: ["lte"] }],
    },
  });
});

const TWO_PATHS = `name: quick
experiment:
  gateway:
    paths:
      wifi: {downlink: {rate: 4Mbit/s}} # at home
      lte: {downlink: {rate: 2Mbit/s}}
  clients:
    - {player: bola, transport: mptcp, paths: [wifi, lte], backup: [lte]}
  events:
    - {at: 3s, for: 1s, path: lte, down: silent}
`;

it("renames a path with all that names it, in its place", async () => {
  form(TWO_PATHS);
  const name = screen.getByRole("textbox", { name: "Name of path lte" });
  await userEvent.clear(name);
  await userEvent.type(name, "5g{Enter}");
  expect(screen.getByText(/a to z first/)).toBeVisible();
  await userEvent.clear(name);
  await userEvent.type(name, "wifi{Enter}");
  expect(screen.getByText("there is a path of this name")).toBeVisible();
  await userEvent.clear(name);
  await userEvent.type(name, "cell{Enter}");
  expect(written()).toBe(TWO_PATHS.replaceAll("lte", "cell"));
});

const VARIED = `${TWO_PATHS}factors:
  gateway.paths.lte.rtt.mean: [20ms, 60ms] # how far
  events.0.path: [lte, wifi]
  clients.0.backup: [[lte], [wifi]]
  name: {lte: {server.http: nginx}, far: {gateway.paths.lte.upstream.rtt: 9ms}}
zip:
  - {gateway.paths.lte.downlink.rate: [1Mbit/s], clients.0.paths: [[wifi, lte]]}
exclude:
  - {gateway.paths.lte.rtt.mean: 60ms, events.0.path: lte}
replicates_where:
  - levels: {events.0.path: lte, gateway.paths.lte.rtt.mean: 20ms}
    replicates: 9
search: {factor: gateway.paths.lte.downlink.rate, from: 1Mbit/s, to: 2Mbit/s}
`;

it("renames a path in factors, exclusions and replicates, too", async () => {
  form(VARIED);
  const name = screen.getByRole("textbox", { name: "Name of path lte" });
  await userEvent.clear(name);
  await userEvent.type(name, "cell{Enter}");
  // A factor's own level is called lte, too, and names no path.
  const named = VARIED.replaceAll("lte", "cell").replace("name: {cell:", "name: {lte:");
  expect(written()).toContain("gateway.paths.cell.rtt.mean: [20ms, 60ms] # how far");
  expect(campaign()).toEqual(parse(named));
});

it("removes a path", async () => {
  form(TWO_PATHS);
  await userEvent.click(screen.getByRole("button", { name: "Remove path lte" }));
  expect(screen.queryByRole("group", { name: "path lte" })).toBeNull();
  expect(screen.getByRole("group", { name: "path wifi" })).toBeVisible();
  expect(written()).toContain("wifi: {downlink: {rate: 4Mbit/s}} # at home");
});

it("shows what is wrong with a search at its fields, and of a part above them", () => {
  show("search: {factor: luck, from: 1, passes: {metric: stall_count}}", searching, {
    problems: [
      problem("search.factor", "no such path"),
      problem("search.from", "add the unit"),
      problem("search.passes", "name a bound"),
    ],
  });
  expect(screen.getByLabelText("search factor")).toHaveAccessibleDescription(/no such path/);
  expect(screen.getByLabelText("search from")).toHaveAccessibleDescription(/add the unit/);
  expect(screen.getByRole("group", { name: "passes" })).toHaveTextContent(/name a bound/);
});
