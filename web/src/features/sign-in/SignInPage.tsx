import {
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import type { paths } from "#/api/schema";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { meQuery, waysInQuery } from "#/shared/session/session";
import { Loaded } from "#/shared/ui/Loaded";

type Login = NonNullable<paths["/api/v1/oidc/login"]["get"]["parameters"]["query"]>;

function singleSignOn(after: string): string {
  const query: Login & Record<string, string> = { next: after };
  return `/api/v1/oidc/login?${new URLSearchParams(query)}`;
}

const route = getRouteApi("/sign-in");

function PasswordForm({ after }: { after: string }): ReactElement {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const queries = useQueryClient();
  const router = useRouter();
  const signIn = api.useMutation("post", "/api/v1/session", {
    onSuccess: async () => {
      await queries.query({ ...meQuery, staleTime: 0 });
      router.history.push(after);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    signIn.mutate({ body: { email, password } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {signIn.error && <ProblemAlert error={signIn.error} />}
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** By password, or at the organisation's own provider where one is set up. */
export function SignInPage(): ReactElement {
  useDocumentTitle("Sign in · Weir");
  const { after = "/" } = route.useSearch();
  const ways = useQuery(waysInQuery);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper p="xl" w={380} maw="100%" shadow="xs">
        <Stack gap="lg">
          <div>
            <Title order={1}>Weir</Title>
            <Text c="dimmed" size="sm">
              Experiments on adaptive streaming over shaped networks
            </Text>
          </div>
          <Loaded query={ways}>
            {({ auth, single_sign_on: provider }) =>
              auth === "none" ? (
                <Button component="a" href="/" size="sm">
                  Go to the campaigns
                </Button>
              ) : (
                <>
                  <PasswordForm after={after} />
                  {provider !== null && (
                    <>
                      <Divider label="or" />
                      <Button component="a" size="sm" variant="default" href={singleSignOn(after)}>
                        Sign in with {provider}
                      </Button>
                    </>
                  )}
                </>
              )
            }
          </Loaded>
        </Stack>
      </Paper>
    </Center>
  );
}
