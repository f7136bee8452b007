import { expect, it } from "vitest";
import { fittingName, namedFiles } from "./fileNames";

it("finds every file that a campaign names", () => {
  const campaign = {
    paper: "paper.yaml",
    experiment: {
      content: { sizes: { dash: "film/manifest.mpd", table: "sizes.csv" } },
      gateway: { downlink: { rate: { trace: "./lte.log", format: "mahimahi" } } },
      clients: [{ player: "./abr.py:Mine" }, { player: "bba3" }, { player: "abr.py" }],
    },
    factors: {
      "clients.0.player": ["./other.py", "classic1"],
      link: { lte: { "gateway.uplink.rate": { trace: "up.log", format: "pensieve" } } },
    },
  };
  expect(namedFiles(campaign)).toEqual([
    "paper.yaml",
    "film/manifest.mpd",
    "sizes.csv",
    "lte.log",
    "abr.py",
    "other.py",
    "up.log",
  ]);
});

it.each([
  ["my abr.py", "my_abr.py"],
  ["../.hidden", "_.hidden"],
  ["…", "_"],
])("%s is sent as %s", (name, fitting) => {
  expect(fittingName(name)).toBe(fitting);
});
