import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { css } from "@codemirror/lang-css";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { BuildFault } from "#shared/website/schema.ts";
import "./code-editor.css";

interface Props {
  path: string;
  /** The initial text. Another text needs another `key`. */
  initialText: string;
  label: string;
  /** The build errors in this file. */
  faults: readonly BuildFault[];
  onChange: (text: string) => void;
  onSave: () => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.tagName, tags.operatorKeyword], color: "var(--act)" },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: "var(--good)" },
  { tag: [tags.comment, tags.meta], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null, tags.color, tags.attributeName], color: "var(--lit-strong)" },
  { tag: [tags.propertyName, tags.typeName, tags.className], color: "var(--ink-2)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

function languageOf(path: string): Extension {
  if (path.endsWith(".css")) return css();
  if (path.endsWith(".json")) return json();
  return /\.[jt]sx?$/.test(path) ? javascript({ jsx: true, typescript: true }) : [];
}

function showFaults(view: EditorView, faults: readonly BuildFault[]): void {
  const diagnostics = faults.flatMap(({ line, column, message }) => {
    if (line === null || line > view.state.doc.lines) return [];
    const { from, to } = view.state.doc.line(line);
    return [{ from: Math.min(to, from + (column ?? 0)), to, severity: "error" as const, message }];
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** An editor with syntax colours and build errors. Tab leaves the editor like any field, and Ctrl+S saves. */
export function CodeEditor({ path, initialText, label, faults, onChange, onSave }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const handlers = useRef({ onChange, onSave });
  useEffect(() => {
    handlers.current = { onChange, onSave };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const save = () => {
      handlers.current.onSave();
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initialText,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          lintGutter(),
          syntaxHighlighting(colours),
          languageOf(path),
          keymap.of([{ key: "Mod-s", run: save }, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handlers.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The editor owns its text, so another file or text needs a new editor.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    if (view.current) showFaults(view.current, faults);
  }, [faults]);
  return <div ref={host} className="code-editor" dir="ltr" />;
}
