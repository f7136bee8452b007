/** What every field of the form needs to know. */
import { createContext, useContext } from "react";
import type { Schema } from "#/api/client";
import type { Choices } from "../choices";
import type { Factor } from "../factors";
import type { JsonSchema } from "../schema";
import type { Path, Tree } from "../yamlText";

export interface FormKnowledge {
  root: JsonSchema;
  choices: Choices;
  campaign: Tree;
  factors: readonly Factor[];
  problems: readonly Schema<"FieldProblem">[];
  /** undefined takes the key away. */
  set: (path: Path, value: unknown) => void;
  /** Several changes at once. */
  edit: (change: (text: string) => string) => void;
  /** Makes a factor of a path in the experiment, which begins with this level. */
  vary: (path: Path, level: unknown) => void;
}

export const FormContext = createContext<FormKnowledge | null>(null);

export function useForm(): FormKnowledge {
  const found = useContext(FormContext);
  if (found === null) throw new Error("a field stands outside of a form");
  return found;
}
