import type { Editor } from "@tiptap/core";
import { redoDepth, undoDepth } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { findBlock, listBlocks } from "../editor/chunks.ts";
import { isBareLine } from "../editor/changes.ts";
import { REMOTE } from "../editor/structure.ts";
import { stepsBetween, withLastLine, withStacks, type UndoStacks, type UndoStep } from "../editor/undo-steps.ts";

/** Meta key of transactions that move components to another page. */
export const MOVED = "moved";

const MAX_ACTIONS = 100;
/** Session storage has about 5 MB for the whole site; the oldest actions are dropped first. */
const MAX_CHARS = 1_500_000;

const storageKey = (accountId: string, pageId: string) => `lamplight_undo_${accountId}_${pageId}`;

/** An action as the documents before and after it, which share unchanged nodes. */
interface Action {
  from: PmNode;
  to: PmNode;
}

interface StoredStacks {
  undo: UndoStep[][];
  redo: UndoStep[][];
  moves: [string, string][];
  /** Id of the trailing empty line: it is not stored, but actions may have created it or refer to it. */
  lastLine?: string | undefined;
}

function lastLineOf(doc: PmNode): string | undefined {
  const last = listBlocks(doc).at(-1)?.node;
  return last && isBareLine(last) ? String(last.attrs["id"]) : undefined;
}

const toSteps = ({ from, to }: Action) => stepsBetween(from, to);

/** Persists the undo and redo stacks of a page in session storage, so that they survive a reload. */
export class StoredUndo {
  /** The target page of moved components: undo and redo move them instead of creating or deleting them. */
  readonly moves = new Map<string, string>();
  readonly #storageKey: string;
  #undo: Action[] = [];
  #redo: Action[] = [];
  #depth = 0;
  /** Whether further typing extends the last action. */
  #canExtendLast = false;
  /** The stacks as stored before the reload; later saves overwrite them in storage only. */
  #stored: StoredStacks | undefined;
  #isUsed = false;
  /** Actions restored from before the reload. */
  #restored: UndoStacks = { undo: [], redo: [] };

  constructor(accountId: string, pageId: string) {
    this.#storageKey = storageKey(accountId, pageId);
  }

  /**
   * Restores the stored stacks as far as they fit the page, unless it was edited since. `stored` contains the ids of
   * existing components. Called again after the server's page arrives, because a cached page may be too old for all
   * stored actions.
   */
  restoreInto({ state, view }: Pick<Editor, "state" | "view">, stored: ReadonlySet<string>): void {
    this.#stored ??= this.#read();
    const stacks = this.#stored;
    if (this.#isUsed || !stacks || stacks.undo.length + stacks.redo.length === 0) return;
    const next = withStacks(withLastLine(state, stacks.lastLine, stored), stacks);
    if (!next || (undoDepth(next) <= undoDepth(state) && redoDepth(next) <= redoDepth(state))) return;
    for (const [id, pageId] of stacks.moves) this.moves.set(id, pageId);
    const [undoCount, redoCount] = [undoDepth(next), redoDepth(next)];
    this.#restored = {
      undo: undoCount === 0 ? [] : stacks.undo.slice(-undoCount),
      redo: stacks.redo.slice(0, redoCount),
    };
    this.#depth = undoCount;
    const [anchor, head] = [state.selection.anchor, state.selection.head].map((position) =>
      next.doc.resolve(Math.min(position, next.doc.content.size)),
    );
    if (!anchor || !head) return;
    view.updateState(next.apply(next.tr.setSelection(TextSelection.between(anchor, head))));
  }

  /** Called for every transaction with the state after it. */
  record(transaction: Transaction, { doc }: EditorState, depth: number): void {
    this.#isUsed ||= transaction.before !== doc && transaction.getMeta(REMOTE) === undefined;
    const historyMeta = transaction.getMeta("history$") as { redo: boolean } | undefined;
    if (historyMeta) this.#moveAction(historyMeta.redo ? "redo" : "undo");
    else if (transaction.before !== doc) this.#recordAction(transaction, doc, depth);
    this.#depth = depth;
  }

  #recordAction(transaction: Transaction, doc: PmNode, depth: number): void {
    const isUndoable = transaction.getMeta("addToHistory") !== false;
    const last = this.#undo.at(-1);
    if (isUndoable && this.#canExtendLast && last && depth === this.#depth) last.to = doc;
    else if (isUndoable) {
      this.#undo.push({ from: transaction.before, to: doc });
      this.#undo = this.#undo.slice(-MAX_ACTIONS);
      this.#redo = [];
      this.#restored = { undo: this.#restored.undo, redo: [] };
    }
    this.#canExtendLast = isUndoable;
    if (isUndoable && this.moves.size > 0 && !transaction.getMeta(MOVED)) this.#forgetDeleted(doc);
  }

  /** A moved component that came back and was then deleted must be saved as deleted, not as moved. */
  #forgetDeleted(doc: PmNode): void {
    const { before, moves } = { before: this.#undo.at(-1)?.from, moves: this.moves };
    for (const id of moves.keys()) if (before && findBlock(before, id) && !findBlock(doc, id)) moves.delete(id);
  }

  #moveAction(direction: "undo" | "redo"): void {
    this.#canExtendLast = false;
    const { undo, redo } = this.#restored;
    if (direction === "undo") {
      const action = this.#undo.pop();
      if (action) this.#redo.push(action);
      else this.#restored = { undo: undo.slice(0, -1), redo: [...undo.slice(-1), ...redo] };
      return;
    }
    // Redo starts with the action that was undone last. Restored actions come first.
    const action = redo.length === 0 ? this.#redo.pop() : undefined;
    if (action) this.#undo.push(action);
    else this.#restored = { undo: [...undo, ...redo.slice(0, 1)], redo: redo.slice(1) };
  }

  /** Called when the tab closes or the page is left. */
  save(doc: PmNode): void {
    const stacks: StoredStacks = {
      undo: [...this.#restored.undo, ...this.#undo.map(toSteps)].slice(-MAX_ACTIONS),
      redo: [...this.#restored.redo, ...this.#redo.toReversed().map(toSteps)],
      moves: [...this.moves],
      lastLine: lastLineOf(doc),
    };
    let text = JSON.stringify(stacks);
    while (text.length > MAX_CHARS && stacks.undo.length > 0) {
      stacks.undo = stacks.undo.slice(Math.ceil(stacks.undo.length / 2));
      text = JSON.stringify(stacks);
    }
    try {
      sessionStorage.setItem(this.#storageKey, text);
    } catch {
      // The storage is full or denied, so these actions cannot be undone after a reload.
    }
  }

  #read(): StoredStacks | undefined {
    try {
      const text = sessionStorage.getItem(this.#storageKey);
      return text === null ? undefined : (JSON.parse(text) as StoredStacks);
    } catch {
      return undefined;
    }
  }
}
