import type { ResolvedPos } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** The command being typed: from its slash, `[[` or `@` to the caret. */
export interface SlashQuery {
  kind: "block" | "reference";
  from: number;
  to: number;
  text: string;
}

const key = new PluginKey<SlashQuery | null>("slash");
const CLOSE_META = "close";

const TRIGGERS: readonly (readonly [SlashQuery["kind"], RegExp])[] = [
  ["block", /(?:^|\s)(\/)([\p{L}\p{N} -]{0,24})$/u],
  ["reference", /(\[\[)([^[\]\n]{0,60})$/u],
  ["reference", /(?:^|\s)(@)([\p{L}\p{N}][^@\n]{0,39}|)$/u],
];

const isCode = ($from: ResolvedPos) => $from.marks().some(({ type }) => type.name === "inline_code");

function readQuery(state: EditorState): SlashQuery | null {
  const { selection } = state;
  if (!(selection instanceof TextSelection) || !selection.empty) return null;
  const { $from } = selection;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 64), $from.parentOffset, "\n", "\n");
  for (const [kind, pattern] of TRIGGERS) {
    const [, trigger, text] = pattern.exec(before) ?? [];
    if (trigger === undefined || text === undefined || isCode($from)) continue;
    return { kind, from: $from.pos - text.length - trigger.length, to: $from.pos, text };
  }
  return null;
}

export interface SlashMenuPort {
  /** Called on every change; null closes the menu. */
  show(query: SlashQuery | null, view: EditorView): void;
  /** Returns true if the menu handled the key. */
  press(key: string): boolean;
}

/** Opens when a slash, `[[` or `@` is typed, not when the caret moves past an existing one. */
export const createSlashPlugin = (port: SlashMenuPort) =>
  new Plugin<SlashQuery | null>({
    key,
    state: {
      init: () => null,
      apply(tr, before, _old, state) {
        if (tr.getMeta(key) === CLOSE_META) return null;
        if (!tr.docChanged && !tr.selectionSet) return before;
        const query = readQuery(state);
        const isNew = before === null || query?.from !== tr.mapping.map(before.from);
        const isTyped = tr.docChanged && query?.text === "";
        return query && isNew && !isTyped ? null : query;
      },
    },
    props: {
      handleKeyDown: (view, event) => key.getState(view.state) !== null && port.press(event.key),
    },
    view: () => ({
      update(view, before) {
        const query = key.getState(view.state) ?? null;
        if (query !== (key.getState(before) ?? null)) port.show(query, view);
      },
    }),
  });

export function closeSlash(view: EditorView): void {
  view.dispatch(view.state.tr.setMeta(key, CLOSE_META));
}

/** Removes the typed command before it runs. */
export function removeSlashCommand(view: EditorView): void {
  const query = key.getState(view.state);
  const { tr } = view.state;
  if (query) tr.delete(query.from, query.to);
  view.dispatch(tr.setMeta(key, CLOSE_META));
}
