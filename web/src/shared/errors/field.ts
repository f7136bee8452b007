import { useMemo } from "react";
import { readProblem } from "./problem";

/** What a form's fields say of an answer: by the field's path, or undefined. */
export function useProblemOf(error: unknown): (path: string) => string | undefined {
  return useMemo(() => {
    const problems = error === null || error === undefined ? [] : readProblem(error).problems;
    return (path) => {
      const found = problems.find((problem) => problem.path === path);
      return found === undefined ? undefined : found.remedy || found.allowed || "not accepted";
    };
  }, [error]);
}
