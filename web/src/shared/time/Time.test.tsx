import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Time } from "./Time";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-21T10:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

it("calls nothing that has just ended still to come", () => {
  const { rerender } = render(<Time at={null} />);
  act(() => {
    vi.advanceTimersByTime(15_000);
  });
  rerender(<Time at="2026-11-21T10:00:14Z" />);
  act(() => {
    vi.advanceTimersByTime(1);
  });
  expect(screen.getByText("just now")).toBeInTheDocument();
});
