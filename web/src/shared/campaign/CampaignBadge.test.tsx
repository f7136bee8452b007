import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { CampaignBadge } from "./CampaignBadge";
import { carriedOut } from "./moving";

it.each([
  [{ succeeded: 3 }, "finished", "succeeded"],
  [{ failed: 3 }, "finished, none succeeded", "failed"],
  [{ invalid: 3, cancelled: 1 }, "finished, none succeeded", "failed"],
  [{ succeeded: 30, failed: 1, invalid: 1 }, "finished, 2 did not succeed", "failed"],
  [{ succeeded: 30, invalid: 1 }, "finished, 1 did not succeed", "invalid"],
])("%j: %s", (counts, text, colour) => {
  const { container } = render(<CampaignBadge campaign={{ state: "finished", counts }} />);
  expect(container).toHaveTextContent(new RegExp(`^${text}$`));
  expect(container.innerHTML).toContain(`--weir-${colour})`);
});

it("counts no cancelled run as carried out", () => {
  expect(carriedOut({ succeeded: 20, failed: 1, cancelled: 4_299 })).toBe(21);
});
