import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const frame = EditorView.theme({
  "&": { fontSize: "0.8125rem", backgroundColor: "transparent", color: "var(--weir-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--weir-text)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--weir-text)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    color: "var(--weir-dim)",
    border: "none",
  },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--mantine-primary-color-filled) 7%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    {
      background: "color-mix(in srgb, var(--mantine-primary-color-filled) 26%, transparent)",
    },
  ".cm-tooltip": {
    backgroundColor: "var(--weir-ground)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "6px",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "0.8125rem",
    maxHeight: "16em",
  },
  ".cm-tooltip-autocomplete ul li": { padding: "3px 10px 3px 6px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--mantine-primary-color-filled)",
    color: "var(--mantine-primary-color-contrast)",
  },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--weir-dim)", marginLeft: "1em" },
  ".cm-tooltip.cm-completionInfo": {
    maxWidth: "320px",
    padding: "6px 10px",
    fontSize: "0.8125rem",
  },
  ".cm-diagnostic": { padding: "4px 10px", maxWidth: "420px", fontSize: "0.8125rem" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--weir-failed)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--weir-failed)",
    textUnderlineOffset: "3px",
  },
  ".cm-panels": { backgroundColor: "var(--weir-ground)", color: "var(--weir-text)" },
});

const words = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--mantine-color-water-light-color)", fontWeight: "600" },
  { tag: tags.definition(tags.propertyName), color: "var(--mantine-color-water-light-color)" },
  { tag: tags.comment, color: "var(--weir-dim)", fontStyle: "italic" },
  {
    tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace],
    color: "var(--weir-dim)",
  },
]);

export const look = [frame, syntaxHighlighting(words)];
