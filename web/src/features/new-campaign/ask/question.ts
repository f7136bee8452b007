/** "Does X beat Y for Z?" as a campaign: two levels of one factor, as many seeds as it takes. */
import { ORDER } from "../order";
import { textOf, type Tree } from "../yamlText";

export const SUBJECTS = ["congestion control", "player", "queue", "shaping"] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The place in the experiment at which each is named. */
export const PATHS: Record<Subject, string> = {
  "congestion control": "server.congestion_control",
  player: "clients.0.player",
  queue: "gateway.downlink.queue.discipline",
  shaping: "gateway.shaping.method",
};

export interface Question {
  subject: Subject;
  does: string;
  beat: string;
  metric: string;
  /** The smallest difference that matters, %. */
  mattersPercent: number;
  rate: string;
  rtt: string;
  /** Chance in round trips: without any, all runs are alike. */
  jitter: string;
  queue: string;
  player: string;
  players: number;
  duration: string;
  /** Seeds at most. */
  budget: number;
}

export const FIRST: Question = {
  subject: "congestion control",
  does: "illinois",
  beat: "cubic",
  metric: "mean_bitrate_bps",
  mattersPercent: 2,
  rate: "8Mbit/s",
  rtt: "40ms",
  jitter: "2ms",
  queue: "1bdp",
  player: "aggressive-rate",
  players: 2,
  duration: "120s",
  budget: 40,
};

const LADDER = ["248kbit/s", "456kbit/s", "928kbit/s", "1632kbit/s", "4256kbit/s"];

function nameOf({ does, beat }: Question): string {
  const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
  return `does-${plain(does)}-beat-${plain(beat)}`.slice(0, 100);
}

/** The campaign's file, to be submitted or edited. */
export function campaignOf(question: Question): string {
  const { subject, does, beat, metric, mattersPercent } = question;
  const campaign: Tree = {
    name: nameOf(question),
    description: `Does ${does} beat ${beat} for ${metric}?`,
    experiment: {
      duration: question.duration,
      content: { ladder: LADDER, segment: "2s" },
      server: { http: "nginx", congestion_control: "cubic" },
      gateway: {
        downlink: {
          rate: question.rate,
          queue: { discipline: "drop-tail", limit: question.queue },
        },
        path: { rtt: { mean: question.rtt, stddev: question.jitter } },
      },
      clients: [{ player: question.player, count: question.players }],
    },
    factors: { [PATHS[subject]]: [beat, does] },
    question: { does, metric, matters: `${mattersPercent}%` },
    replicates: question.budget,
    seed: 1,
  };
  return textOf(campaign, ORDER);
}
