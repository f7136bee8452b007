import { Anchor, type AnchorProps } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

/** A page of the documentation, which the server has at /docs, in a tab of its own. */
export function DocsLink(props: AnchorProps & { page: string; children: ReactNode }): ReactElement {
  const { page, children, ...look } = props;
  return (
    <Anchor href={`/docs/${page}`} target="_blank" rel="noopener" underline="always" {...look}>
      {children}
    </Anchor>
  );
}
