import {
  IconCalendarTime,
  IconCards,
  IconFlask2,
  IconGitCompare,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

export interface Destination {
  label: string;
  to:
    | "/teams/$team/campaigns"
    | "/teams/$team/compare"
    | "/teams/$team/cards"
    | "/teams/$team/schedules"
    | "/teams/$team/settings";
  /** Pages of its own, by the part of the address after the team. */
  pages: readonly string[];
  icon: ComponentType<{ size?: number; stroke?: number }>;
  /** Second key after g. */
  key: string;
}

/** What the shell leads to, of a team. */
export const DESTINATIONS: readonly Destination[] = [
  {
    label: "Campaigns",
    to: "/teams/$team/campaigns",
    pages: ["campaigns", "runs"],
    icon: IconFlask2,
    key: "c",
  },
  {
    label: "Compare",
    to: "/teams/$team/compare",
    pages: ["compare"],
    icon: IconGitCompare,
    key: "m",
  },
  {
    label: "Cards",
    to: "/teams/$team/cards",
    pages: ["cards"],
    icon: IconCards,
    key: "k",
  },
  {
    label: "Schedules",
    to: "/teams/$team/schedules",
    pages: ["schedules"],
    icon: IconCalendarTime,
    key: "s",
  },
  {
    label: "Team",
    to: "/teams/$team/settings",
    pages: ["settings"],
    icon: IconUsersGroup,
    key: "t",
  },
];
