// Writes FILE.gz beside every text in dist/assets, which the server sends: it compresses nothing itself.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LEAST_BYTES = 1000;
const assets = fileURLToPath(new URL("../dist/assets/", import.meta.url));

for (const name of readdirSync(assets)) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const content = readFileSync(assets + name);
  if (content.length >= LEAST_BYTES)
    writeFileSync(`${assets}${name}.gz`, gzipSync(content, { level: 9 }));
}
