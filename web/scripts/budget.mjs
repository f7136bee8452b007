// Fails when the JavaScript of the first load is over budget: the entry, and all it imports at once.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET_KB = 300;
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const manifest = JSON.parse(readFileSync(dist + ".vite/manifest.json", "utf8"));

const files = new Set();
function collect(key) {
  const chunk = manifest[key];
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported);
}
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) collect(key);

const size = (file) => gzipSync(readFileSync(dist + file)).length / 1000;
const total = [...files].reduce((sum, file) => sum + size(file), 0);
console.log(`first load: ${total.toFixed(1)} kB of JavaScript, gzipped (budget ${BUDGET_KB} kB)`);
if (total > BUDGET_KB) {
  for (const file of files) console.error(`  ${size(file).toFixed(1)} kB  ${file}`);
  process.exit(1);
}
