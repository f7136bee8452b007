/** A player with versions and settings, for tests of forms. */
import type { Schema } from "#/api/client";

const option = { text: "", default: null, low: null, high: null, choices: [] };

export const DASHJS_CHOICES: Schema<"Choices"> = {
  players: [
    { name: "bola", options: [], settings: [] },
    {
      name: "dashjs",
      options: [
        {
          ...option,
          name: "version",
          kind: "choice",
          default: "5.2.1",
          choices: ["5.2.0", "5.2.1"],
        },
        { ...option, name: "settings", kind: "keys and values", text: "As it takes them." },
      ],
      settings: [
        { name: "debug.logLevel", default: 0, types: ["number"], versions: ["5.2.0", "5.2.1"] },
        { name: "streaming.seekBackoff", default: true, types: ["boolean"], versions: ["5.2.1"] },
        { name: "streaming.catchup", default: null, types: ["boolean"], versions: ["5.2.1"] },
        { name: "cmcd.sid", default: null, types: ["null", "string"], versions: ["5.2.1"] },
      ],
    },
  ],
  congestion_controls: [],
  metrics: [],
};
