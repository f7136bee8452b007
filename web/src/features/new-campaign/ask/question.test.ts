import { expect, it } from "vitest";
import { read } from "../yamlText";
import { campaignOf, FIRST } from "./question";

it("is a campaign of one factor with two levels, and of as many seeds as it may take", () => {
  const { value, errors } = read(campaignOf(FIRST));
  expect(errors).toEqual([]);
  expect(value).toMatchObject({
    name: "does-illinois-beat-cubic",
    factors: { "server.congestion_control": ["cubic", "illinois"] },
    question: { does: "illinois", metric: "mean_bitrate_bps", matters: "2%" },
    replicates: 40,
  });
});

it("varies what is compared, by a name that a campaign may have", () => {
  const queues = { ...FIRST, subject: "queue", does: "fq_codel", beat: "drop-tail" } as const;
  const { value } = read(campaignOf(queues));
  expect(value.name).toBe("does-fq-codel-beat-drop-tail");
  expect(value.factors).toEqual({ "gateway.downlink.queue.discipline": ["drop-tail", "fq_codel"] });
  const own = { ...FIRST, subject: "player", does: "./Mine.py:Best Abr", beat: "bola" } as const;
  expect(read(campaignOf(own)).value.name).toBe("does-.-mine.py-best-abr-beat-bola");
});
