import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env.WEIR_URL ?? "http://127.0.0.1:8080";

const TESTS = ["src/**/*.test.{ts,tsx}"];
/** They put other modules in place of some, or draw elements that are numbered from the first. */
const ALONE = ["src/app/{copies,runningRun,whatif}.test.tsx", "src/shared/plots/pictures.test.ts"];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "#": fileURLToPath(new URL("./src", import.meta.url)) } },
  // Replaced by the server with a fresh nonce in every answer.
  html: { cspNonce: "WEIR_CSP_NONCE" },
  // The style sheets' light-dark() needs these; for older ones it would be rewritten, wrongly.
  build: {
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    target: "es2022",
    manifest: true,
    // What is bundled, with the licences that have to come with it; a release's SBOM is made of it.
    license: { fileName: "licenses.json" },
    sourcemap: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // What several pages use comes in one file: a browser asks for six at a time.
        codeSplitting: {
          groups: [
            {
              name: "pages",
              test: /node_modules.@mantine|node_modules.@tabler|src.shared/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": { target: backend, changeOrigin: true },
      "/docs": { target: backend, changeOrigin: true },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 180_000,
    env: { TZ: "Europe/Berlin" },
    projects: [
      // One set of modules for many files: to load them anew for each takes longer than the tests.
      // `npm test` runs the other set after it: side by side, both are isolated.
      { extends: true, test: { name: "pages", include: TESTS, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
