import { AppShell, Burger, Group, NavLink, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, type ReactElement } from "react";
import { useShortcut } from "#/shared/keys/shortcuts";
import { ShortcutHelp } from "#/shared/keys/ShortcutHelp";
import { rememberTeam, useTeam } from "#/shared/session/session";
import { ConnectionBanner } from "./ConnectionBanner";
import { Logo } from "./Logo";
import { DESTINATIONS, type Destination } from "./navigation";
import classes from "./shell.module.css";
import { TeamSwitcher } from "./TeamSwitcher";
import { ThemeToggle } from "./ThemeToggle";
import { UserMenu } from "./UserMenu";

function Shortcut({ destination, team }: { destination: Destination; team: string }): null {
  const navigate = useNavigate();
  useShortcut(`g ${destination.key}`, `Go to ${destination.label.toLowerCase()}`, () => {
    if (team !== "") void navigate({ to: destination.to, params: { team } });
  });
  return null;
}

/** What is around every page of those who are signed in. */
export function Shell(): ReactElement {
  const [opened, { toggle, close }] = useDisclosure();
  const team = useTeam();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const here = path.split("/")[3] ?? "";
  useEffect(() => {
    if (team !== "") rememberTeam(team);
  }, [team]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 240, breakpoint: "sm", collapsed: { desktop: true, mobile: !opened } }}
    >
      <a href="#content" className={classes.skip}>
        Skip to the page
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="md" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
          />
          <Link to="/" className={classes.home} aria-label="Weir: home">
            <Logo />
          </Link>
          <TeamSwitcher />
          <Group component="nav" gap={2} h="100%" visibleFrom="sm" aria-label="Main">
            {team !== "" &&
              DESTINATIONS.map(({ label, to, pages }) => (
                <Link
                  key={label}
                  to={to}
                  params={{ team }}
                  className={classes.tab}
                  data-here={pages.includes(here) || undefined}
                >
                  {label}
                </Link>
              ))}
          </Group>
          <Group gap={4} ml="auto" wrap="nowrap">
            <ThemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        {opened && team !== "" && (
          <Stack gap={0} onClick={close}>
            {DESTINATIONS.map(({ label, to, pages, icon: Icon }) => (
              <NavLink
                key={label}
                active={pages.includes(here)}
                label={label}
                leftSection={<Icon size={18} stroke={1.6} />}
                renderRoot={(props) => <Link to={to} params={{ team }} {...props} />}
              />
            ))}
          </Stack>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        <Suspense key={path} fallback={null}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      {DESTINATIONS.map((destination) => (
        <Shortcut key={destination.key} destination={destination} team={team} />
      ))}
      <ShortcutHelp />
    </AppShell>
  );
}
