import { expect, it } from "vitest";
import { playerName } from "./player";

it("tells a player with its version, and a browser with what plays in it", () => {
  const options = { version: "5.2.1", settings: {} };
  expect(playerName("bola", {})).toBe("bola");
  expect(playerName("dashjs", options)).toBe("dashjs 5.2.1");
  expect(playerName("chromium", options)).toBe("dashjs 5.2.1 in chromium");
});
