import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// Within a folder imports are relative, from outside they start with #/.
const forbidding = (files, groups, message) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: [{ group: groups, message }] }] },
});
const outward = ["../../*", "**/../../*"];

export default defineConfig(
  { ignores: ["dist", "src/api/schema.d.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      hooks.configs.flat["recommended-latest"],
    ],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  {
    files: ["scripts/*.mjs"],
    languageOptions: {
      // Some of them run in the page that a script drives.
      globals: Object.fromEntries(
        ["process", "console", "URL", "window", "document", "performance"]
          .concat(["requestAnimationFrame", "requestIdleCallback", "WheelEvent"])
          .map((name) => [name, "readonly"]),
      ),
    },
  },
  forbidding(["src/api/**"], ["#/*"], "the API client knows no other part"),
  forbidding(
    ["src/shared/**"],
    ["#/app/*", "#/features/*", ...outward],
    "shared parts know neither the app nor features",
  ),
  forbidding(
    ["src/features/**"],
    ["#/app/*", "#/features/*", ...outward],
    "features use shared parts, never each other or the app",
  ),
);
