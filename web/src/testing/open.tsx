import { createBrowserHistory } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { onTestFinished } from "vitest";
import { App } from "#/app/App";

/** The whole app at an address, until the test's end: an app of an earlier test that still listened
 * to the address would follow this one's. */
export function open(path: string): void {
  window.history.pushState(null, "", path);
  const history = createBrowserHistory();
  onTestFinished(() => history.destroy());
  render(<App history={history} />);
}
