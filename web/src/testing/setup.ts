import { notifications } from "@mantine/notifications";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

class Observer {
  observe = (): void => undefined;
  unobserve = (): void => undefined;
  disconnect = (): void => undefined;
}

/** What Mantine and the router ask of a browser and jsdom does not have. */
function completeJsdom(): void {
  window.matchMedia = (media) =>
    ({
      media,
      matches: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
  window.ResizeObserver = Observer;
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
}

if (typeof window !== "undefined") {
  completeJsdom();
  // Pages come in parts of their own; on a busy machine that takes a while.
  configure({ asyncUtilTimeout: 30_000, getElementError: (message) => new Error(message ?? "") });
  afterEach(() => {
    cleanup();
    notifications.clean();
  });
}
