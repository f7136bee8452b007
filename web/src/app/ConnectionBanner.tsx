import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactElement } from "react";
import { client } from "#/api/client";
import { noteConnection, useConnectionLost } from "#/shared/connection/connection";

const RETRY_MS = 2_000;

/** While the server does not answer: says so, asks until it does, then fetches what is shown. */
export function ConnectionBanner(): ReactElement | null {
  const lost = useConnectionLost();
  const queries = useQueryClient();
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      client
        .GET("/api/v1/health/live")
        .then(({ response }) => {
          if (!response.ok) return;
          noteConnection(true);
          void queries.invalidateQueries();
        })
        .catch(() => undefined);
    }, RETRY_MS);
    return () => clearInterval(timer);
  }, [lost, queries]);
  if (!lost) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      radius={0}
      py={6}
      icon={<IconPlugConnectedX size={16} />}
    >
      The server does not answer. What you see may be old; this page goes on when it is back.
    </Alert>
  );
}
