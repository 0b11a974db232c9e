import type { Editor } from "@tiptap/core";
import { redoDepth, undoDepth } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { findBlock, listBlocks } from "../editor/chunks.ts";
import { isBareLine } from "../editor/changes.ts";
import { REMOTE } from "../editor/structure.ts";
import { stepsBetween, withLastLine, withStacks, type UndoStacks, type UndoStep } from "../editor/undo-steps.ts";

/** Marks the transaction that takes components away because they were moved to another page. */
export const MOVED = "moved";

const MAX_ACTIONS = 100;
/** A tab's own store holds about 5 MB for everything; the oldest actions give way. */
const MAX_CHARS = 1_500_000;

const key = (accountId: string, pageId: string) => `lamplight_undo_${accountId}_${pageId}`;

/** An action as the documents before and after it, which share what they have in common. */
interface Action {
  from: PmNode;
  to: PmNode;
}

interface Kept {
  undo: UndoStep[][];
  redo: UndoStep[][];
  moves: [string, string][];
  /** The empty line the page ended with: it is not stored, and actions may have made it or stand behind it. */
  lastLine?: string | undefined;
}

function lastLineOf(doc: PmNode): string | undefined {
  const last = listBlocks(doc).at(-1)?.node;
  return last && isBareLine(last) ? String(last.attrs["id"]) : undefined;
}

const written = ({ from, to }: Action) => stepsBetween(from, to);

/** What can be undone and done again on one page, kept by the tab over a reload. */
export class UndoMemory {
  /** The page that a component of this one was moved to: undone and done again, it is moved and not made or deleted. */
  readonly moves = new Map<string, string>();
  readonly #key: string;
  #undo: Action[] = [];
  #redo: Action[] = [];
  #depth = 0;
  /** Whether what is typed next still belongs to the last action. */
  #isOpen = false;
  /** As it was kept by the tab before; what is kept from now on is another. */
  #last: Kept | undefined;
  #isUsed = false;
  /** Actions taken over from before the reload. */
  #kept: UndoStacks = { undo: [], redo: [] };

  constructor(accountId: string, pageId: string) {
    this.#key = key(accountId, pageId);
  }

  /**
   * Takes up what the tab remembers, as far as it fits the page, unless the student went on since. `stored` names the
   * components that exist. A page that this browser keeps may be older than what is remembered: asked again when the
   * server has told the page, more of it may fit.
   */
  recallInto({ state, view }: Pick<Editor, "state" | "view">, stored: ReadonlySet<string>): void {
    this.#last ??= this.#read();
    const stacks = this.#last;
    if (this.#isUsed || !stacks || stacks.undo.length + stacks.redo.length === 0) return;
    const next = withStacks(withLastLine(state, stacks.lastLine, stored), stacks);
    if (!next || (undoDepth(next) <= undoDepth(state) && redoDepth(next) <= redoDepth(state))) return;
    for (const [id, pageId] of stacks.moves) this.moves.set(id, pageId);
    const [back, forth] = [undoDepth(next), redoDepth(next)];
    this.#kept = { undo: back === 0 ? [] : stacks.undo.slice(-back), redo: stacks.redo.slice(0, forth) };
    this.#depth = back;
    const [anchor, head] = [state.selection.anchor, state.selection.head].map((at) =>
      next.doc.resolve(Math.min(at, next.doc.content.size)),
    );
    if (!anchor || !head) return;
    view.updateState(next.apply(next.tr.setSelection(TextSelection.between(anchor, head))));
  }

  /** Told of every transaction, with the state after it. */
  hear(transaction: Transaction, { doc }: EditorState, depth: number): void {
    this.#isUsed ||= transaction.before !== doc && transaction.getMeta(REMOTE) === undefined;
    const isHistory = transaction.getMeta("history$") as { redo: boolean } | undefined;
    if (isHistory) this.#step(isHistory.redo ? "redo" : "undo");
    else if (transaction.before !== doc) this.#add(transaction, doc, depth);
    this.#depth = depth;
  }

  #add(transaction: Transaction, doc: PmNode, depth: number): void {
    const isOwn = transaction.getMeta("addToHistory") !== false;
    const last = this.#undo.at(-1);
    if (isOwn && this.#isOpen && last && depth === this.#depth) last.to = doc;
    else if (isOwn) {
      this.#undo.push({ from: transaction.before, to: doc });
      this.#undo = this.#undo.slice(-MAX_ACTIONS);
      this.#redo = [];
      this.#kept = { undo: this.#kept.undo, redo: [] };
    }
    this.#isOpen = isOwn;
    if (isOwn && this.moves.size > 0 && !transaction.getMeta(MOVED)) this.#forgetDeleted(doc);
  }

  /** A component that came back and was then deleted is deleted, not moved. */
  #forgetDeleted(doc: PmNode): void {
    const { before, moves } = { before: this.#undo.at(-1)?.from, moves: this.moves };
    for (const id of moves.keys()) if (before && findBlock(before, id) && !findBlock(doc, id)) moves.delete(id);
  }

  #step(way: "undo" | "redo"): void {
    this.#isOpen = false;
    const { undo, redo } = this.#kept;
    if (way === "undo") {
      const action = this.#undo.pop();
      if (action) this.#redo.push(action);
      else this.#kept = { undo: undo.slice(0, -1), redo: [...undo.slice(-1), ...redo] };
      return;
    }
    // What was taken back last is done again first: that is what came over the reload.
    const action = redo.length === 0 ? this.#redo.pop() : undefined;
    if (action) this.#undo.push(action);
    else this.#kept = { undo: [...undo, ...redo.slice(0, 1)], redo: redo.slice(1) };
  }

  /** As the tab goes, or the page is left. */
  save(doc: PmNode): void {
    const stacks: Kept = {
      undo: [...this.#kept.undo, ...this.#undo.map(written)].slice(-MAX_ACTIONS),
      redo: [...this.#kept.redo, ...this.#redo.toReversed().map(written)],
      moves: [...this.moves],
      lastLine: lastLineOf(doc),
    };
    let text = JSON.stringify(stacks);
    while (text.length > MAX_CHARS && stacks.undo.length > 0) {
      stacks.undo = stacks.undo.slice(Math.ceil(stacks.undo.length / 2));
      text = JSON.stringify(stacks);
    }
    try {
      sessionStorage.setItem(this.#key, text);
    } catch {
      // Full or denied: undo then ends with the tab's reload, as it does elsewhere.
    }
  }

  #read(): Kept | undefined {
    try {
      const text = sessionStorage.getItem(this.#key);
      return text === null ? undefined : (JSON.parse(text) as Kept);
    } catch {
      return undefined;
    }
  }
}
