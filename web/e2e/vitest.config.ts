import { defineConfig } from "vitest/config";
import { PATIENCE_MS } from "./tab";

/** In a real browser against a real platform. Each step needs those before it. */
export default defineConfig({
  test: {
    include: ["e2e/*.test.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // The page has its own time to load; a second is too short for that on a busy machine.
    expect: { poll: { timeout: PATIENCE_MS } },
    bail: 1,
    reporters: ["verbose"],
  },
});
