import type { Schema } from "#/api/client";

/** A file of the campaign that comes from a repository, as it is asked for. */
export type Subject = Schema<"NewSubject">;

/** What a subject is read with so far, by its name; it is never shown. */
export type KeptSecrets = readonly Schema<"SubjectOut">[];

export const FRESH: Subject = { name: "", repository: "", branch: "main", path: "" };

/** Without its secret, which stays as it is. */
export function subjectOf({ name, repository, branch, path }: KeptSecrets[number]): Subject {
  return { name, repository, branch, path };
}

/** `ssh://...` or `USER@HOST:PATH`: read with a key, and others with a token. */
export function isBySsh(repository: string): boolean {
  return repository.startsWith("ssh:") || /^([\w.-]+@)?[\w.-]+:(?!\/)/.test(repository);
}

/** What is kept for it, if it is of the same repository as before. */
export function keptSecret(subject: Subject, kept: KeptSecrets): "none" | "token" | "key" {
  const before = kept.find(({ name }) => name === subject.name);
  return before?.repository === subject.repository ? before.secret : "none";
}
