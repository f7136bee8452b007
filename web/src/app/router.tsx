import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { CampaignPage } from "#/features/campaigns/CampaignPage";
import { beginCampaign } from "#/features/campaigns/queries";
import { campaignSearch, campaignsSearch } from "#/features/campaigns/search";
import { compareRunsSearch, compareSearch } from "#/features/compare/search";
import { effectsSearch } from "#/features/effects/search";
import { overlaySearch } from "#/features/overlay/search";
import { resultsSearch } from "#/features/results/search";
import { runSearch } from "#/features/run/search";
import { newCampaignSearch } from "#/features/new-campaign/search";
import { scheduleSearch } from "#/features/schedules/search";
import { signInSearch } from "#/features/sign-in/search";
import { installationSearch, teamSearch } from "#/features/team/search";
import { isNotSignedIn } from "#/shared/errors/problem";
import { firstTeam, meQuery } from "#/shared/session/session";
import { CrashPage } from "./CrashPage";
import { MissingPage } from "./MissingPage";
import { NoTeamPage } from "./NoTeamPage";
import { Shell } from "./Shell";

interface Context {
  queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()();

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import("#/features/sign-in/SignInPage"), "SignInPage"),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Shell,
  // A loader, which those of the pages run beside; after signing out it asks anew.
  gcTime: 0,
  loader: async ({ context, location }) => {
    try {
      await context.queries.query(meQuery);
    } catch (error) {
      if (!isNotSignedIn(error)) throw error;
      throw redirect({ to: "/sign-in", search: { after: location.href } });
    }
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: NoTeamPage,
  beforeLoad: async ({ context }) => {
    const team = firstTeam(await context.queries.query(meQuery));
    if (team !== null) throw redirect({ to: "/teams/$team/campaigns", params: { team } });
  },
});

const campaigns = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns",
  validateSearch: campaignsSearch,
  component: lazyRouteComponent(
    () => import("#/features/campaigns/CampaignsPage"),
    "CampaignsPage",
  ),
});

const newCampaign = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns/new",
  validateSearch: newCampaignSearch,
  component: lazyRouteComponent(
    () => import("#/features/new-campaign/NewCampaignPage"),
    "NewCampaignPage",
  ),
});

const campaign = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns/$campaign",
  validateSearch: campaignSearch,
  loader: ({ context, params, location }) =>
    beginCampaign(context.queries, params.campaign, location.search),
  shouldReload: false,
  component: CampaignPage,
});

const results = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns/$campaign/results",
  validateSearch: resultsSearch,
  component: lazyRouteComponent(() => import("#/features/results/ResultsPage"), "ResultsPage"),
});

const effects = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns/$campaign/effects",
  validateSearch: effectsSearch,
  component: lazyRouteComponent(() => import("#/features/effects/EffectsPage"), "EffectsPage"),
});

const overlay = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/campaigns/$campaign/overlay",
  validateSearch: overlaySearch,
  component: lazyRouteComponent(() => import("#/features/overlay/OverlayPage"), "OverlayPage"),
});

const run = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/runs/$run",
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import("#/features/run/RunPage"), "RunPage"),
});

const compare = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import("#/features/compare/ComparePage"), "ComparePage"),
});

const compareRuns = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/compare/runs",
  validateSearch: compareRunsSearch,
  component: lazyRouteComponent(
    () => import("#/features/compare/CompareRunsPage"),
    "CompareRunsPage",
  ),
});

const cards = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/cards",
  component: lazyRouteComponent(() => import("#/features/cards/CardsPage"), "CardsPage"),
});

const card = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/cards/$card",
  component: lazyRouteComponent(() => import("#/features/cards/CardPage"), "CardPage"),
});

const schedules = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/schedules",
  component: lazyRouteComponent(
    () => import("#/features/schedules/SchedulesPage"),
    "SchedulesPage",
  ),
});

const schedule = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/schedules/$schedule",
  validateSearch: scheduleSearch,
  component: lazyRouteComponent(() => import("#/features/schedules/SchedulePage"), "SchedulePage"),
});

const team = createRoute({
  getParentRoute: () => inside,
  path: "/teams/$team/settings",
  validateSearch: teamSearch,
  component: lazyRouteComponent(() => import("#/features/team/TeamPage"), "TeamPage"),
});

const installation = createRoute({
  getParentRoute: () => inside,
  path: "/installation",
  validateSearch: installationSearch,
  component: lazyRouteComponent(
    () => import("#/features/team/InstallationPage"),
    "InstallationPage",
  ),
});

const routeTree = root.addChildren([
  signIn,
  inside.addChildren([
    home,
    campaigns,
    campaign,
    results,
    effects,
    overlay,
    run,
    compare,
    compareRuns,
    cards,
    card,
    newCampaign,
    schedules,
    schedule,
    team,
    installation,
  ]),
]);

export function makeRouter(queries: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: "intent",
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: MissingPage,
    scrollRestoration: true,
    ...(history === undefined ? {} : { history }),
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
