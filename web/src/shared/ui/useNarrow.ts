import { em, getBreakpointValue, useMantineTheme, type MantineBreakpoint } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";

/** Whether the window is narrower than what is shown from there on. */
export function useNarrow(than: MantineBreakpoint): boolean {
  const { breakpoints } = useMantineTheme();
  const px = getBreakpointValue(than, breakpoints);
  return useMediaQuery(`(max-width: ${em(px - 0.1)})`, false, { getInitialValueInEffect: false });
}
