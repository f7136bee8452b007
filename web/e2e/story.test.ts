/** A story in a real browser: each step needs those before it, in the order of these imports. */
import { afterAll, afterEach, beforeAll } from "vitest";
import { picture } from "./look";
import { begin, end, page } from "./steps/stage";
import "./steps/submitting";
import "./steps/players";
import "./steps/results";
import "./steps/keeping";
import "./steps/around";
import "./steps/atLast";

beforeAll(begin);

afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await picture(page, "failed");
});

afterAll(end);
