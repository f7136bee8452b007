import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listen } from "./stream";

/** What a browser's EventSource is to a page; jsdom has none. */
class Source extends EventTarget {
  static made: Source[] = [];
  closed = false;
  constructor(readonly url: string) {
    super();
    Source.made.push(this);
  }
  close(): void {
    this.closed = true;
  }
  says(kind: string): void {
    this.dispatchEvent(new MessageEvent(kind));
  }
}

const newest = (): Source => {
  const found = Source.made.at(-1);
  if (found === undefined) throw new Error("nobody listens");
  return found;
};
const handlers = { onChange: vi.fn(), onLive: vi.fn() };
const URL = "/api/v1/campaigns/7/events";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Source);
  Source.made = [];
  handlers.onChange.mockClear();
  handlers.onLive.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

it("tells of what happens, from when the server watches", () => {
  const leave = listen(URL, ["run.ended"], handlers);
  newest().dispatchEvent(new Event("open"));
  expect(handlers.onLive).not.toHaveBeenCalled();
  newest().says("open");
  expect(handlers.onLive).toHaveBeenLastCalledWith(true);
  newest().says("run.started");
  expect(handlers.onChange).not.toHaveBeenCalled();
  newest().says("run.ended");
  newest().says("lagged");
  expect(handlers.onChange).toHaveBeenCalledTimes(2);
  leave();
  expect(newest().closed).toBe(true);
});

it("says that it is cut off, joins again later and later, and then looks at what it missed", () => {
  const leave = listen(URL, ["run.ended"], handlers);
  newest().says("open");
  newest().dispatchEvent(new Event("error"));
  expect(newest().closed).toBe(true);
  expect(handlers.onLive).toHaveBeenLastCalledWith(false);
  expect(handlers.onChange).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2_000);
  expect(Source.made).toHaveLength(2);
  newest().dispatchEvent(new Event("error"));
  vi.advanceTimersByTime(2_000);
  expect(Source.made).toHaveLength(2);
  vi.advanceTimersByTime(2_000);
  expect(Source.made).toHaveLength(3);
  handlers.onChange.mockClear();
  newest().says("open");
  expect(handlers.onLive).toHaveBeenLastCalledWith(true);
  expect(handlers.onChange).toHaveBeenCalledTimes(1);
  leave();
  vi.advanceTimersByTime(120_000);
  expect(Source.made).toHaveLength(3);
});

it("does not join again once it was left", () => {
  const leave = listen(URL, ["run.ended"], handlers);
  newest().says("closed");
  leave();
  vi.advanceTimersByTime(120_000);
  expect(Source.made).toHaveLength(1);
});
