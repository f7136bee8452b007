import { NoAnswer, type Schema } from "#/api/client";

export interface Problem {
  /** 0: no answer came. */
  status: number;
  title: string;
  detail: string;
  problems: Schema<"FieldProblem">[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const text = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** Code of a page that did not come: browsers word it differently, all name the import. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof TypeError && /import/i.test(error.message);

/** Whatever was thrown or answered, as something to show. */
export function readProblem(error: unknown): Problem {
  if (error instanceof NoAnswer || isMissingCode(error))
    return {
      status: 0,
      title: "The server does not answer",
      detail: "This page tries again by itself.",
      problems: [],
    };
  if (isRecord(error) && typeof error.status === "number")
    return {
      status: error.status,
      title: text(error.title, `Error ${error.status}`),
      detail: text(error.detail, ""),
      problems: Array.isArray(error.problems) ? (error.problems as Schema<"FieldProblem">[]) : [],
    };
  return {
    status: 500,
    title: "Something went wrong",
    detail: error instanceof Error ? error.message : text(error, ""),
    problems: [],
  };
}

export function isNoAnswer(error: unknown): boolean {
  return readProblem(error).status === 0;
}

export function isNotSignedIn(error: unknown): boolean {
  return readProblem(error).status === 401;
}

/** Worth trying again: nothing was wrong with what was asked. */
export function isPassing(error: unknown): boolean {
  return [0, 502, 503, 504].includes(readProblem(error).status);
}
