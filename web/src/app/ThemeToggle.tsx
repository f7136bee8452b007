import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { useShortcut } from "#/shared/keys/shortcuts";

export function ThemeToggle(): ReactElement {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "light" ? "dark" : "light";
  const toggle = (): void => setColorScheme(other);
  useShortcut("t", "Switch between light and dark", toggle);
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon size="lg" onClick={toggle} aria-label={`Use ${other} colours`}>
        {scheme === "light" ? <IconMoon size={18} /> : <IconSun size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
