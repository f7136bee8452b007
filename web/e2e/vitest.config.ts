import { defineConfig } from "vitest/config";

/** In a real browser against a real platform. Each step needs those before it. */
export default defineConfig({
  test: {
    include: ["e2e/*.test.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    bail: 1,
    reporters: ["verbose"],
  },
});
