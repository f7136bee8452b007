/** Changes of a campaign's text that keep its named paths and those who name them together. */
import { pathNames } from "./choices";
import { mentions } from "./mentions";
import {
  asTree,
  read,
  valueAt,
  withKey,
  withValue,
  without,
  type Path,
  type Tree,
} from "./yamlText";

const GATEWAY: Path = ["experiment", "gateway"];
/** Of a gateway without named paths; `path` holds what a named one has beside its links. */
const OWN = ["downlink", "uplink", "upstream", "path"] as const;

/** With another path: the first one has the links that the gateway had, others those of the last. */
export function withPath(text: string, name: string): string {
  const { value: campaign } = read(text);
  const gateway = asTree(valueAt(campaign, GATEWAY));
  const last = Object.values(asTree(gateway.paths)).at(-1);
  const { path, ...links } = Object.fromEntries(
    OWN.filter((key) => gateway[key] !== undefined).map((key) => [key, gateway[key]]),
  );
  const made = withValue(text, [...GATEWAY, "paths", name], last ?? { ...links, ...asTree(path) });
  return OWN.reduce((sofar, key) => without(sofar, [...GATEWAY, key]), made);
}

/** Whether something at a path is what named paths have in the gateway's place. */
export function isReplaced(campaign: Tree, path: Path): boolean {
  const [root, part, key] = path;
  return (
    path.length === 3 &&
    root === "experiment" &&
    part === "gateway" &&
    OWN.some((each) => each === key) &&
    valueAt(campaign, path) === undefined &&
    pathNames(campaign).length > 0
  );
}

/** With another name for a path, also where the campaign names it elsewhere: clients, other traffic
 * and events, factors and their levels, exclusions and replicates. */
export function withPathNamed(text: string, name: string, next: string): string {
  const changes = mentions(read(text).value, name, next);
  const values = changes.filter(({ isKey }) => !isKey);
  const keys = changes.filter(({ isKey }) => isKey);
  return [...values, ...keys].reduce(
    (sofar, { at, to, isKey }) => (isKey ? withKey : withValue)(sofar, at, to),
    text,
  );
}
