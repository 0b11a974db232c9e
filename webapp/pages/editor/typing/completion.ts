import { closeHistory } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { takeFirstWord, canComplete } from "#shared/pages/completion.ts";
import { findBlockAt, listBlocks, type PlacedBlock } from "../chunks.ts";
import { REMOTE } from "../structure.ts";

export interface TextContext {
  componentId: string;
  before: string;
  after: string;
}

export interface CompletionPort {
  /** Whether completions are enabled and available. */
  isEnabled(): boolean;
  /** Streams the completion; an empty stream if there is none. Never throws. */
  request(context: TextContext, signal: AbortSignal): AsyncIterable<string>;
  /** Called when the student accepts text. */
  onAccept(text: string): void;
  /** Announces the suggestion to screen readers; null clears it. */
  announce(text: string | null): void;
}

interface Suggestion {
  pos: number;
  text: string;
}

interface CompletionState {
  suggestion: Suggestion | null;
  /** Incremented by each edit after which a completion may be requested. */
  editCount: number;
}

const key = new PluginKey<CompletionState>("completion");

/** Debounce before a completion is requested. */
const DEBOUNCE_MS = 500;
const BEFORE_CHARS = 3000;
const AFTER_CHARS = 600;

type Change = { showSuggestion: Suggestion | null } | { taken: number };

/** Removes typed letters from the start of a suggestion; null if the letters do not match. */
function trimSuggestion(tr: Transaction, current: Suggestion, { selection, doc }: EditorState): Suggestion | null {
  if (!(selection instanceof TextSelection) || !selection.empty) return null;
  const { $from } = selection;
  const from = tr.mapping.map(current.pos, -1);
  if ($from.parentOffset < $from.parent.content.size || from > $from.pos || from < $from.start()) return null;
  const typed = doc.textBetween(from, $from.pos, "\n", "\n");
  if (!current.text.startsWith(typed) || typed.length === current.text.length) return null;
  return { pos: $from.pos, text: current.text.slice(typed.length) };
}

const isTyped = (tr: Transaction) =>
  tr.docChanged &&
  tr.getMeta(REMOTE) === undefined &&
  tr.getMeta("history$") === undefined &&
  tr.getMeta("paste") === undefined &&
  tr.getMeta("addToHistory") !== false;

function reduceState(tr: Transaction, current: CompletionState, state: EditorState): CompletionState {
  const change = tr.getMeta(key) as Change | undefined;
  if (change && "showSuggestion" in change) return { ...current, suggestion: change.showSuggestion };
  if (!tr.docChanged && !tr.selectionSet) return current;
  const suggestion = current.suggestion && trimSuggestion(tr, current.suggestion, state);
  const shouldRequest = !change && isTyped(tr) && tr.getMeta("appendedTransaction") === undefined;
  return { suggestion, editCount: shouldRequest ? current.editCount + 1 : current.editCount };
}

/** The line that ends at the caret. */
function readCaretLine({ selection }: EditorState) {
  if (!(selection instanceof TextSelection) || !selection.empty) return undefined;
  const { $from } = selection;
  const block = findBlockAt($from);
  if (!block?.node.isTextblock || $from.parentOffset < $from.parent.content.size) return undefined;
  const text = block.node.textBetween(0, block.node.content.size, "\n", "\n");
  return { block, componentId: String(block.node.attrs["id"]), text };
}

/** Whether the caret is at the end of the same unchanged line. Changes from other devices may have moved that line. */
function isAtSameLine(before: EditorState, after: EditorState): boolean {
  const [was, is] = [readCaretLine(before), readCaretLine(after)];
  return was !== undefined && was.componentId === is?.componentId && was.text === is.text;
}

/** The text around the caret; undefined unless the caret is at the end of a line with enough text. */
function readTextContext(state: EditorState): TextContext | undefined {
  const line = readCaretLine(state);
  if (!line || !canComplete(line.text) || /(?:^|\s)\/\S*$/.test(line.text)) return undefined;
  return { componentId: line.componentId, ...collectContext(state.doc, line.block, line.text) };
}

/** Page text before the caret, including its line, and after it. */
function collectContext(doc: PmNode, block: PlacedBlock, line: string): Pick<TextContext, "before" | "after"> {
  let before = line;
  let after = "";
  for (const { node, pos } of listBlocks(doc).toReversed()) {
    if (!node.isTextblock) continue;
    if (pos > block.pos) after = `${node.textContent}\n${after}`.slice(0, AFTER_CHARS);
    else if (pos < block.pos && before.length < BEFORE_CHARS) before = `${node.textContent}\n${before}`;
  }
  return { before: before.slice(-BEFORE_CHARS), after };
}

function acceptText(view: EditorView, port: CompletionPort, text: string): void {
  const suggestion = key.getState(view.state)?.suggestion;
  if (!suggestion) return;
  const tr = closeHistory(view.state.tr).insertText(text, suggestion.pos).setMeta(key, { taken: text.length });
  view.dispatch(tr.scrollIntoView());
  port.onAccept(text);
}

/** A touch that moves further is a scroll. */
const TAP_PX = 10;

/** Touch devices have no Tab key: a tap accepts. A click with the mouse only places the caret. */
function acceptOnTap(element: HTMLElement, accept: () => void): void {
  let pressed: PointerEvent | undefined;
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    event.preventDefault();
    pressed = event;
  });
  element.addEventListener("pointerup", (event) => {
    if (event.pointerId !== pressed?.pointerId) return;
    const movedPx = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
    if (movedPx < TAP_PX) accept();
  });
}

function createSuggestionElement(view: EditorView, port: CompletionPort, text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = "page-completion";
  element.contentEditable = "false";
  element.setAttribute("aria-hidden", "true");
  element.textContent = text;
  const hint = document.createElement("kbd");
  hint.className = "key-hint";
  hint.textContent = "Tab";
  element.append(hint);
  acceptOnTap(element, () => acceptText(view, port, text));
  return element;
}

/** Requests a completion after a pause and cancels it on any change. */
class CompletionRequester {
  readonly #view: EditorView;
  readonly #port: CompletionPort;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller: AbortController | undefined;

  constructor(view: EditorView, port: CompletionPort) {
    this.#view = view;
    this.#port = port;
  }

  schedule(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#request(), DEBOUNCE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#controller = undefined;
  }

  async #request(): Promise<void> {
    const { state, composing } = this.#view;
    const context = composing || !this.#view.hasFocus() || !this.#port.isEnabled() ? undefined : readTextContext(state);
    if (!context) return;
    const controller = new AbortController();
    this.#controller = controller;
    let text = "";
    for await (const piece of this.#port.request(context, controller.signal)) {
      if (controller.signal.aborted) return;
      text += piece;
      this.#showSuggestion(text);
    }
    if (!controller.signal.aborted && text !== "") this.#port.announce(text);
  }

  /** Shows the text at the caret, which a change elsewhere on the page may have moved since the request. */
  #showSuggestion(text: string): void {
    const { tr, selection } = this.#view.state;
    const suggestion = { pos: selection.from, text };
    this.#view.dispatch(tr.setMeta(key, { showSuggestion: suggestion }).setMeta("addToHistory", false));
  }
}

/** The key with its modifiers; Control and Command are the same. */
const formatChord = ({ key: name, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  [ctrlKey || metaKey ? "Mod-" : "", altKey ? "Alt-" : "", shiftKey ? "Shift-" : "", name].join("");

function handleKey(view: EditorView, event: KeyboardEvent, port: CompletionPort): boolean {
  const suggestion = key.getState(view.state)?.suggestion;
  if (!suggestion || event.isComposing) return false;
  switch (formatChord(event)) {
    case "Tab":
      acceptText(view, port, suggestion.text);
      return true;
    case "Mod-ArrowRight":
      acceptText(view, port, takeFirstWord(suggestion.text));
      return true;
    case "Escape":
      view.dispatch(view.state.tr.setMeta(key, { showSuggestion: null }));
      return true;
    default:
      return false;
  }
}

/** Inline suggestions after the caret: Tab accepts all, Ctrl+Right accepts one word, Escape dismisses. */
export const createCompletionPlugin = (port: CompletionPort) =>
  new Plugin<CompletionState>({
    key,
    state: {
      init: () => ({ suggestion: null, editCount: 0 }),
      apply: (tr, current, _old, state) => reduceState(tr, current, state),
    },
    props: {
      handleKeyDown: (view, event) => handleKey(view, event, port),
      decorations(state) {
        const suggestion = key.getState(state)?.suggestion;
        if (!suggestion) return null;
        const { pos, text } = suggestion;
        const widget = Decoration.widget(pos, (view) => createSuggestionElement(view, port, text), {
          side: 1,
          key: text,
        });
        return DecorationSet.create(state.doc, [widget]);
      },
      handleDOMEvents: {
        blur(view) {
          if (key.getState(view.state)?.suggestion) view.dispatch(view.state.tr.setMeta(key, { showSuggestion: null }));
          return false;
        },
      },
    },
    view: (view) => {
      const requester = new CompletionRequester(view, port);
      return {
        update(_view, before) {
          const [was, is] = [key.getState(before), key.getState(view.state)];
          if (was?.suggestion && !is?.suggestion) port.announce(null);
          if (before.selection.eq(view.state.selection) && before.doc === view.state.doc) return;
          if (is && was?.editCount !== is.editCount && !is.suggestion) requester.schedule();
          else if (!isAtSameLine(before, view.state)) requester.stop();
        },
        destroy: () => requester.stop(),
      };
    },
  });
