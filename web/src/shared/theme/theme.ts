import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { INK, STATE_COLOURS, STATES, type Scheme } from "./palette";

const water: MantineColorsTuple = [
  "#e6f6f8",
  "#d3e9ee",
  "#a9d2dc",
  "#7cbac9",
  "#57a6b9",
  "#3f99af",
  "#2b8ba3",
  "#147389",
  "#0b6478",
  "#00495a",
];

const dark: MantineColorsTuple = [
  "#dbe3ea",
  "#b4c0cb",
  "#93a2b0",
  "#6f7f8d",
  "#313b45",
  "#323d47",
  "#252e36",
  "#1a2128",
  "#141a20",
  "#0e1317",
];

export const theme = createTheme({
  primaryColor: "water",
  primaryShade: { light: 8, dark: 7 },
  colors: { water, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  defaultRadius: "sm",
  cursorType: "pointer",
  autoContrast: true,
  components: {
    Button: { defaultProps: { size: "xs" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    Select: { defaultProps: { size: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: "sm" } },
    // A keyboard reaches what scrolls sideways only where that takes the focus.
    TableScrollContainer: {
      defaultProps: {
        scrollAreaProps: {
          viewportProps: { tabIndex: 0, role: "group", "aria-label": "Table" },
        },
      },
    },
    Modal: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        styles: {
          title: { fontWeight: 600 },
          header: { background: "var(--weir-ground)" },
          content: { background: "var(--weir-ground)" },
        },
      },
    },
    Menu: { defaultProps: { shadow: "md", position: "bottom-end" } },
    Paper: { defaultProps: { withBorder: true, radius: "md", bg: "var(--weir-ground)" } },
  },
});

function variables(scheme: Scheme): Record<string, string> {
  const ink = INK[scheme];
  const states = STATES.map((state) => [`--weir-${state}`, STATE_COLOURS[scheme][state]] as const);
  return {
    ...Object.fromEntries(states),
    "--weir-text": ink.text,
    "--weir-dim": ink.dim,
    "--weir-line": ink.line,
    "--weir-grid": ink.grid,
    "--weir-ground": ink.ground,
    "--mantine-color-body": scheme === "light" ? "#f7f9fa" : "#11161b",
    "--mantine-color-text": ink.text,
    "--mantine-color-dimmed": ink.dim,
    "--mantine-color-default-border": scheme === "light" ? "#dfe5ea" : "#2a333c",
  };
}

/** Mantine's variables, and those of ours that CSS and drawings use: --weir-failed, --weir-dim, ... */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables("light"),
  dark: variables("dark"),
});
