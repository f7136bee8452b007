import { expect, it } from "vitest";
import { isBySsh, keptSecret } from "./subjects";

it.each([
  ["ssh://git@git.example.org/player.git", true],
  ["git@git.example.org:player.git", true],
  ["git.example.org:players/abr.git", true],
  ["https://git.example.org/player.git", false],
  ["https://git.example.org:8443/player.git", false],
  ["", false],
])("knows what is read by ssh: %s", (repository, bySsh) => {
  expect(isBySsh(repository)).toBe(bySsh);
});

it("keeps a secret for the repository that it was given for alone", () => {
  const here = { name: "player.py", repository: "https://a.example.org/p.git" };
  const subject = { ...here, branch: "main", path: "abr.py" };
  const kept = [{ ...subject, secret: "token" as const }];
  expect(keptSecret({ ...subject, branch: "next" }, kept)).toBe("token");
  expect(keptSecret({ ...subject, repository: "https://b.example.org/p.git" }, kept)).toBe("none");
  expect(keptSecret({ ...subject, name: "other.py" }, kept)).toBe("none");
});
