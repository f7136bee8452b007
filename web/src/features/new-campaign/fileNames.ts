/** The files that a campaign refers to. */
import { asTree, type Tree } from "./yamlText";

const SIZE_FILES = ["file", "dash", "table", "hls", "sabre"];

function plain(name: string): string {
  return name.replace(/^(\.\/)+/, "");
}

/** ./abr.py:Class is in abr.py; null for a player that is shipped. */
function playerFile(player: string): string | null {
  const [, file] = /^(.+\.py)(?::\w+)?$/.exec(player) ?? [];
  return file === undefined ? null : plain(file);
}

function filesAt(key: string, value: unknown): string[] {
  if (typeof value !== "string" || value === "") return [];
  if (key === "player") {
    const file = playerFile(value);
    return file === null ? [] : [file];
  }
  return ["trace", "sizes", "paper", "base", ...SIZE_FILES].includes(key) ? [plain(value)] : [];
}

/** Names without ./ in the order of the document, each once. */
export function namedFiles(campaign: Tree): string[] {
  const found: string[] = [];
  const walk = (key: string, value: unknown): void => {
    found.push(...filesAt(key, value));
    if (Array.isArray(value)) value.forEach((each) => walk(key, each));
    else
      for (const [inner, each] of Object.entries(asTree(value)))
        // In factors keys are dotted paths; the last part says what it is.
        walk(inner.split(".").at(-1) ?? inner, each);
  };
  walk("", campaign);
  return [...new Set(found)];
}

/** What the server takes as a file's name in a campaign; a picked file's made to fit. */
export function fittingName(name: string): string {
  const fitting = name.replaceAll(/[^A-Za-z0-9._-]/g, "_").replace(/^[.-]+/, "");
  return fitting.slice(0, 100) || "file";
}
