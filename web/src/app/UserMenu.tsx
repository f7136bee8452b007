import { ActionIcon, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBook2, IconLogout, IconPassword, IconSettings, IconUser } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, type ReactElement } from "react";
import { api } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { useMe, waysInQuery } from "#/shared/session/session";
import { zone } from "#/shared/time/format";

const ChangePassword = lazy(() => import("./ChangePassword"));

/** Who is signed in, the zone that times are shown in, and the way out. */
export function UserMenu(): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [changing, change] = useDisclosure();
  const ways = useQuery(waysInQuery);
  const signOut = api.useMutation("delete", "/api/v1/session", {
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      queries.clear();
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Menu width={240}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`Signed in as ${me.name}`}>
            <IconUser size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--weir-text)">
              {me.name}
            </Text>
            {me.email}
          </Menu.Label>
          <Menu.Label>Times are in {zone()}. Press ? for shortcuts.</Menu.Label>
          <Menu.Item
            component="a"
            href="/docs/"
            target="_blank"
            rel="noopener"
            leftSection={<IconBook2 size={16} />}
          >
            Documentation
          </Menu.Item>
          {me.is_admin && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconSettings size={16} />}
                renderRoot={(props) => <Link to="/installation" {...props} />}
              >
                Installation
              </Menu.Item>
            </>
          )}
          {ways.data?.auth === "login" && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPassword size={16} />} onClick={change.open}>
                Change password
              </Menu.Item>
              <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate({})}>
                Sign out
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {changing && (
        <Suspense fallback={null}>
          <ChangePassword onClose={change.close} />
        </Suspense>
      )}
    </>
  );
}
