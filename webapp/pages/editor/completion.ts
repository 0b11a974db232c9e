import { closeHistory } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { firstWordOf, isWorthCompleting } from "#shared/pages/completion.ts";
import { blockAround, listBlocks, type Placed } from "./chunks.ts";
import { REMOTE } from "./structure.ts";

export interface TextAround {
  componentId: string;
  before: string;
  after: string;
}

export interface CompletionDoor {
  /** Whether completions are enabled and available. */
  isOn(): boolean;
  /** Streams the completion; ends without one and never throws. */
  ask(around: TextAround, signal: AbortSignal): AsyncIterable<string>;
  /** Called when the student accepts text. */
  take(text: string): void;
  /** Announces the suggestion to screen readers; null clears it. */
  tell(text: string | null): void;
}

interface Offered {
  pos: number;
  text: string;
}

interface Held {
  offered: Offered | null;
  /** Incremented by each edit after which a completion may be requested. */
  typed: number;
}

const key = new PluginKey<Held>("completion");

/** Debounce before a completion is requested. */
const QUIET_MS = 500;
const BEFORE_CHARS = 3000;
const AFTER_CHARS = 600;

type Change = { offer: Offered | null } | { taken: number };

/** Keeps the rest of a suggestion while the typed letters match it. */
function keepOffered(tr: Transaction, held: Offered, { selection, doc }: EditorState): Offered | null {
  if (!(selection instanceof TextSelection) || !selection.empty) return null;
  const { $from } = selection;
  const from = tr.mapping.map(held.pos, -1);
  if ($from.parentOffset < $from.parent.content.size || from > $from.pos || from < $from.start()) return null;
  const typed = doc.textBetween(from, $from.pos, "\n", "\n");
  if (!held.text.startsWith(typed) || typed.length === held.text.length) return null;
  return { pos: $from.pos, text: held.text.slice(typed.length) };
}

const isTyped = (tr: Transaction) =>
  tr.docChanged &&
  tr.getMeta(REMOTE) === undefined &&
  tr.getMeta("history$") === undefined &&
  tr.getMeta("paste") === undefined &&
  tr.getMeta("addToHistory") !== false;

function next(tr: Transaction, held: Held, state: EditorState): Held {
  const change = tr.getMeta(key) as Change | undefined;
  if (change && "offer" in change) return { ...held, offered: change.offer };
  if (!tr.docChanged && !tr.selectionSet) return held;
  const offered = held.offered && keepOffered(tr, held.offered, state);
  const asks = !change && isTyped(tr) && tr.getMeta("appendedTransaction") === undefined;
  return { offered, typed: asks ? held.typed + 1 : held.typed };
}

/** The text around the caret; undefined unless the caret is at the end of a line with enough text. */
function readAround({ selection, doc }: EditorState): TextAround | undefined {
  if (!(selection instanceof TextSelection) || !selection.empty) return undefined;
  const { $from } = selection;
  const block = blockAround($from);
  if (!block?.node.isTextblock || $from.parentOffset < $from.parent.content.size) return undefined;
  const line = block.node.textBetween(0, block.node.content.size, "\n", "\n");
  if (!isWorthCompleting(line) || /(?:^|\s)\/\S*$/.test(line)) return undefined;
  return { componentId: String(block.node.attrs["id"]), ...textAround(doc, block, line) };
}

/** Page text before the caret, including its line, and after it. */
function textAround(doc: PmNode, block: Placed, line: string): Pick<TextAround, "before" | "after"> {
  let before = line;
  let after = "";
  for (const { node, pos } of listBlocks(doc).toReversed()) {
    if (!node.isTextblock) continue;
    if (pos > block.pos) after = `${node.textContent}\n${after}`.slice(0, AFTER_CHARS);
    else if (pos < block.pos && before.length < BEFORE_CHARS) before = `${node.textContent}\n${before}`;
  }
  return { before: before.slice(-BEFORE_CHARS), after };
}

function takeText(view: EditorView, door: CompletionDoor, text: string): void {
  const offered = key.getState(view.state)?.offered;
  if (!offered) return;
  const tr = closeHistory(view.state.tr).insertText(text, offered.pos).setMeta(key, { taken: text.length });
  view.dispatch(tr.scrollIntoView());
  door.take(text);
}

function show(view: EditorView, door: CompletionDoor, text: string): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "page-completion";
  shown.contentEditable = "false";
  shown.setAttribute("aria-hidden", "true");
  shown.textContent = text;
  const hint = document.createElement("kbd");
  hint.textContent = "Tab";
  shown.append(hint);
  // Touch devices have no Tab key: tapping accepts.
  shown.addEventListener("mousedown", (event) => {
    event.preventDefault();
    takeText(view, door, text);
  });
  return shown;
}

/** Requests a completion after a pause and cancels it on any change. */
class Asking {
  readonly #view: EditorView;
  readonly #door: CompletionDoor;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(view: EditorView, door: CompletionDoor) {
    this.#view = view;
    this.#door = door;
  }

  later(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#ask(), QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
  }

  async #ask(): Promise<void> {
    const { state, composing } = this.#view;
    const around = composing || !this.#view.hasFocus() || !this.#door.isOn() ? undefined : readAround(state);
    if (!around) return;
    const running = new AbortController();
    this.#running = running;
    const pos = state.selection.from;
    let text = "";
    for await (const piece of this.#door.ask(around, running.signal)) {
      if (running.signal.aborted) return;
      text += piece;
      this.#offer({ pos, text });
    }
    if (!running.signal.aborted && text !== "") this.#door.tell(text);
  }

  #offer(offer: Offered): void {
    this.#view.dispatch(this.#view.state.tr.setMeta(key, { offer }).setMeta("addToHistory", false));
  }
}

/** The key with its modifiers; Control and Command are the same. */
const chordOf = ({ key: name, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  [ctrlKey || metaKey ? "Mod-" : "", altKey ? "Alt-" : "", shiftKey ? "Shift-" : "", name].join("");

function pressed(view: EditorView, event: KeyboardEvent, door: CompletionDoor): boolean {
  const offered = key.getState(view.state)?.offered;
  if (!offered || event.isComposing) return false;
  switch (chordOf(event)) {
    case "Tab":
      takeText(view, door, offered.text);
      return true;
    case "Mod-ArrowRight":
      takeText(view, door, firstWordOf(offered.text));
      return true;
    case "Escape":
      view.dispatch(view.state.tr.setMeta(key, { offer: null }));
      return true;
    default:
      return false;
  }
}

/** Inline suggestions after the caret: Tab accepts all, Ctrl+Right accepts one word, Escape dismisses. */
export const completion = (door: CompletionDoor) =>
  new Plugin<Held>({
    key,
    state: { init: () => ({ offered: null, typed: 0 }), apply: (tr, held, _old, state) => next(tr, held, state) },
    props: {
      handleKeyDown: (view, event) => pressed(view, event, door),
      decorations(state) {
        const offered = key.getState(state)?.offered;
        if (!offered) return null;
        const { pos, text } = offered;
        const widget = Decoration.widget(pos, (view) => show(view, door, text), { side: 1, key: text });
        return DecorationSet.create(state.doc, [widget]);
      },
      handleDOMEvents: {
        blur(view) {
          if (key.getState(view.state)?.offered) view.dispatch(view.state.tr.setMeta(key, { offer: null }));
          return false;
        },
      },
    },
    view: (view) => {
      const asking = new Asking(view, door);
      return {
        update(_view, before) {
          const [was, is] = [key.getState(before), key.getState(view.state)];
          if (was?.offered && !is?.offered) door.tell(null);
          if (before.selection.eq(view.state.selection) && before.doc === view.state.doc) return;
          if (is && was?.typed !== is.typed && !is.offered) asking.later();
          else asking.stop();
        },
        destroy: () => asking.stop(),
      };
    },
  });
