// Pictures of pages of a running platform, in both themes at three widths.
// usage: node scripts/look.mjs URL folder /path [/path ...]
// Also says what axe finds seriously wrong with them and what they say to the console, and fails then.
import { launch } from "./browser.mjs";
import { look } from "./looks.mjs";

const [url, folder, ...paths] = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: node scripts/look.mjs URL folder /path [/path ...]");
  process.exit(2);
}
const browser = await launch();
const page = await browser.newPage();
const wrong = [];
page.on("pageerror", (error) => wrong.push(String(error)));
page.on("console", (said) => wrong.push(`${said.type()}: ${said.text()}`));
for (const [index, path] of paths.entries()) {
  wrong.push(...(await look(page, { name: String(index), url: url + path, folder })));
  for (const each of wrong.splice(0)) {
    console.log(`${path}: ${each}`);
    process.exitCode = 1;
  }
}
await browser.close();
