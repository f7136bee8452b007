import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml, yamlLanguage } from "@codemirror/lang-yaml";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { useEffect, useEffectEvent, useRef, type ReactElement } from "react";
import { completion, type Knowledge } from "./complete";
import { diagnosticsOf } from "./diagnostics";
import classes from "./editor.module.css";
import { look } from "./look";
import type { Schema } from "#/api/client";

interface EditorProps {
  text: string;
  onChange: (text: string) => void;
  problems: readonly Schema<"FieldProblem">[];
  knowledge: Knowledge;
  readOnly?: boolean;
}

/** The server's policy takes style sheets with its nonce only. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

/** The smallest change from one text to another, so that cursor and undo stay. */
function changeBetween(before: string, after: string) {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shortest - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { from: start, to: before.length - same, insert: after.slice(start, after.length - same) };
}

/** A campaign as YAML: completion from the schema, errors in place. Tab leaves it. */
export function YamlEditor({
  text,
  onChange,
  problems,
  knowledge,
  readOnly = false,
}: EditorProps): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useEffectEvent(onChange);
  const first = useEffectEvent(() => text);

  useEffect(() => {
    if (holder.current === null) return undefined;
    const made = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: first(),
        extensions: [
          EditorView.cspNonce.of(nonce()),
          lineNumbers(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("  "),
          EditorState.tabSize.of(2),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          yaml(),
          yamlLanguage.data.of({ autocomplete: completion(knowledge) }),
          autocompletion({ icons: false, maxRenderedOptions: 60 }),
          lintGutter(),
          keymap.of([
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...lintKeymap,
          ]),
          EditorState.readOnly.of(readOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "The campaign as YAML" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
          ...look,
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [knowledge, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const shown = editor.state.doc.toString();
    if (shown !== text) editor.dispatch({ changes: changeBetween(shown, text) });
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(text, problems)));
  }, [text, problems, knowledge]);

  return <div ref={holder} className={classes.editor} />;
}
