import { renderHook } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listen, useShortcut, useShortcuts } from "./shortcuts";

let stop: () => void;
beforeEach(() => {
  stop = listen();
});
afterEach(() => stop());

it("runs keys and sequences while their component is there", async () => {
  const run = vi.fn();
  const { unmount } = renderHook(() => useShortcut("g c", "Go to campaigns", run));
  await userEvent.keyboard("gc");
  expect(run).toHaveBeenCalledTimes(1);
  expect(renderHook(useShortcuts).result.current).toMatchObject([{ keys: "g c" }]);
  unmount();
  await userEvent.keyboard("gc");
  expect(run).toHaveBeenCalledTimes(1);
});

it("leaves typing alone", async () => {
  const run = vi.fn();
  renderHook(() => useShortcut("t", "Theme", run));
  const field = document.body.appendChild(document.createElement("input"));
  await userEvent.type(field, "t");
  expect(run).not.toHaveBeenCalled();
  expect(field.value).toBe("t");
  field.remove();
});
