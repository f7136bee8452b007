import { notifications } from "@mantine/notifications";
import { readProblem } from "./problem";

/** For actions that failed: `onError` of a mutation. */
export function notifyProblem(error: unknown): void {
  const { title, detail, problems } = readProblem(error);
  const fields = problems.map(({ path, remedy }) => `${path}: ${remedy}`);
  notifications.show({
    color: "red",
    title,
    message: [detail, ...fields].join(" "),
    autoClose: 10_000,
  });
}
