import { em, getBreakpointValue, useMantineTheme, type MantineBreakpoint } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";

/** Whether the window is narrower than what is shown from there on. */
function useNarrow(than: MantineBreakpoint): boolean {
  const { breakpoints } = useMantineTheme();
  const px = getBreakpointValue(than, breakpoints);
  return useMediaQuery(`(max-width: ${em(px - 0.1)})`, false, { getInitialValueInEffect: false });
}

/** The breakpoints of tables that the window is narrower than. */
export function useTooNarrow(): ReadonlySet<MantineBreakpoint> {
  const narrow = { xs: useNarrow("xs"), sm: useNarrow("sm"), md: useNarrow("md") };
  const all = ["xs", "sm", "md"] as const;
  return new Set(all.filter((each) => narrow[each]));
}
