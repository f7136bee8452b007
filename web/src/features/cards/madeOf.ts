/** What a card was made of: campaigns beside each other, or the nights of a trend. */
import { minute } from "#/shared/time/format";
import type { CardDetail } from "./queries";

type Campaign = CardDetail["campaigns"][number];

/** One that is a night. */
export type Night = Campaign & { night: string };

/** Oldest first; none where the card shows no trend. */
export function nightsOf(campaigns: readonly Campaign[]): Night[] {
  return campaigns.flatMap((each) =>
    typeof each.night === "string" ? [{ ...each, night: each.night }] : [],
  );
}

/** Campaign files under the names that tell them apart: a night has one of its own where that is
 * not the file of the night before. */
export function filesOf(
  campaigns: readonly Campaign[],
): { id: string; title: string; text: string }[] {
  return campaigns
    .filter(({ document }) => document !== "")
    .map(({ id, name, document: text, night }, index) => ({
      id,
      text,
      title:
        typeof night === "string" && index > 0
          ? `File of the nights from ${minute(night)} on`
          : `File of ${typeof night === "string" ? "the nights" : name}`,
    }));
}
