import { expect, it } from "vitest";
import { curlOf, latexOf, pandasOf, sdkOf, type Asked } from "./formats";

const asked: Asked = {
  path: "/api/v1/campaigns/c1/aggregate",
  call: "aggregate_metric",
  of: ["c1"],
  query: { metric: "mean_bitrate_bps", rows: "server.congestion_control", client: null },
  levels: { "gateway.downlink.queue": "it's" },
};
const series: Asked = {
  path: "/api/v1/runs/7/series",
  call: "show_run_series",
  of: [7],
  query: { kinds: ["level", "cwnd"], points: 4000 },
};
const table = {
  columns: ["group", "mean_bps", "paper"],
  rows: [
    ["50% & more", 1234567.89, null],
    ["a_b", 2, 0.123456],
  ],
} as const;

it("is a command that a shell takes, with a token where one is needed", () => {
  expect(curlOf(asked, "http://weir:8080", true)).toBe(
    [
      "curl -fG 'http://weir:8080/api/v1/campaigns/c1/aggregate'",
      '-H "Authorization: Bearer $WEIR_TOKEN"',
      "--data-urlencode 'metric=mean_bitrate_bps'",
      "--data-urlencode 'rows=server.congestion_control'",
      "--data-urlencode 'level.gateway.downlink.queue=it'\\''s'",
    ].join(" \\\n  "),
  );
  expect(curlOf(series, "http://weir", false)).toContain("--data-urlencode 'kinds=level,cwnd'");
  expect(curlOf({ ...asked, query: { by: ["a", "b"] } }, "", false)).toContain("'by=a' \\\n");
});

it("is a call of the Python client", () => {
  expect(sdkOf(series, "http://weir", true).split("\n")).toEqual([
    "import os",
    "",
    "from weir_sdk import Client",
    "",
    'with Client("http://weir", os.environ["WEIR_TOKEN"]) as weir:',
    '    found = weir.show_run_series(7, kinds=["level", "cwnd"], points=4000)',
    "",
  ]);
  expect(sdkOf(asked, "http://weir", false)).toContain(
    'weir.aggregate_metric("c1", metric="mean_bitrate_bps", rows="server.congestion_control", ' +
      `levels={"gateway.downlink.queue": "it's"})`,
  );
});

it("asks once for each of several runs, or metrics", () => {
  const runs: Asked = {
    ...series,
    path: "/api/v1/runs/{run}/series",
    of: [],
    query: { ...series.query, even: true },
    each: { name: "run", values: [7, 9] },
  };
  expect(curlOf(runs, "http://weir", true)).toBe(
    [
      "for run in '7' '9'; do",
      '  curl -fG "http://weir/api/v1/runs/$run/series" \\',
      '    -H "Authorization: Bearer $WEIR_TOKEN" \\',
      "    --data-urlencode 'kinds=level,cwnd' \\",
      "    --data-urlencode 'points=4000' \\",
      "    --data-urlencode 'even=true' \\",
      '    -o "run-$run.json"',
      "done",
    ].join("\n"),
  );
  expect(sdkOf(runs, "http://weir", false)).toContain(
    "        run: weir.show_run_series(run, " +
      'kinds=["level", "cwnd"], points=4000, even=True)\n        for run in [7, 9]\n',
  );
  const metrics: Asked = {
    path: "/api/v1/campaigns/c1/aggregate",
    call: "aggregate_metric",
    of: ["c1"],
    query: { rows: "rate" },
    each: { name: "metric", values: ["a", "b"] },
  };
  expect(curlOf(metrics, "http://weir", false)).toContain('--data-urlencode "metric=$metric"');
  expect(sdkOf(metrics, "http://weir", false)).toContain(
    'metric: weir.aggregate_metric("c1", metric=metric, rows="rate")\n' +
      '        for metric in ["a", "b"]',
  );
});

it("is a data frame of the numbers", () => {
  expect(pandasOf(table)).toContain('        "mean_bps": [1234567.89, 2],\n');
  expect(pandasOf(table)).toContain('        "paper": [None, 0.123456],\n');
});

it("is a table for LaTeX, its signs escaped", () => {
  const text = latexOf(table, "Mean ± half");
  expect(text).toContain("\\begin{tabular}{lrr}");
  expect(text).toContain("    group & mean\\_bps & paper \\\\\n");
  expect(text).toContain("    50\\% \\& more & 1235000 & -- \\\\\n");
  expect(text).toContain("    a\\_b & 2 & 0.1235 \\\\\n");
  expect(text).toContain("\\caption{Mean $\\pm$ half}");
  expect(latexOf({ columns: ["x\\^~"], rows: [] }, "").split("\n")[5]).toBe(
    "    x\\textbackslash{}\\textasciicircum{}\\textasciitilde{} \\\\",
  );
});
