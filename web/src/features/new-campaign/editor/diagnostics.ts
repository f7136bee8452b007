/** Problems that the server names by path, at their place in the text. */
import type { Schema } from "#/api/client";
import { placeOf, read } from "../yamlText";

interface Diagnostic {
  from: number;
  to: number;
  severity: "error";
  message: string;
}

type Problem = Schema<"FieldProblem">;

export function sentenceOf({ allowed, remedy }: Problem): string {
  const parts = [remedy, allowed && `allowed: ${allowed}`].filter((part) => part);
  return parts.length === 0 ? "it is not accepted" : parts.join("; ");
}

/** All that is wrong, in the order of the text. What has no place of its own is at the first line. */
export function diagnosticsOf(text: string, problems: readonly Problem[]): Diagnostic[] {
  const { errors } = read(text);
  if (errors.length > 0)
    return errors.map(({ from, to, message }) => ({
      from: Math.min(from, text.length),
      to: Math.min(Math.max(to, from + 1), text.length),
      severity: "error",
      message,
    }));
  const firstLine = Math.max(0, text.indexOf("\n"));
  return problems
    .map((problem): Diagnostic => {
      const place = placeOf(text, problem.path) ?? { from: 0, to: firstLine };
      return { ...place, severity: "error", message: sentenceOf(problem) };
    })
    .sort((a, b) => a.from - b.from);
}
