// What axe finds wrong with a page: one line per rule, and some of the elements.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SERIOUS = ["serious", "critical"];
const ELEMENTS_SHOWN = 3;

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<{ text: string, isSerious: boolean }[]>}
 */
export async function violations(page) {
  // Evaluated by the debugger, which the page's own policy does not hold for.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  return found.violations.map(({ id, impact, help, nodes }) => ({
    isSerious: SERIOUS.includes(impact),
    text: [
      `${impact} ${id}: ${help}`,
      ...nodes.slice(0, ELEMENTS_SHOWN).map(({ html }) => `    ${html.slice(0, 160)}`),
    ].join("\n"),
  }));
}
