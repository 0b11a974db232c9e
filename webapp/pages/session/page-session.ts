import type { Editor } from "@tiptap/core";
import { closeHistory, undoDepth } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import type { Component } from "#shared/pages/schema.ts";
import { Mounts } from "../editor/block-view.ts";
import { blockOf, type Changes } from "../editor/changes.ts";
import { blockAround, findBlock, listBlocks, removeBlock } from "../editor/chunks.ts";
import { insertBlock } from "../editor/commands.ts";
import { createPageEditor, type EditorParts } from "../editor/create.ts";
import { nodesOfMarkdown } from "../editor/markdown.ts";
import { isBuiltOn, placeOf, type Between } from "../editor/placing.ts";
import { patchContent, patchPage } from "../editor/remote.ts";
import { NEW_IDS, REMOTE } from "../editor/structure.ts";
import type { PageKeeper } from "./keeper.ts";
import { KeptPage } from "./kept-page.ts";
import { PageSaver, type SaveState } from "./page-saver.ts";
import { MOVED, UndoMemory } from "./undo-memory.ts";

interface Parts {
  pageId: string;
  userId: string;
  components: readonly Component[];
  keeper: PageKeeper;
  newId: () => string;
  onState: (state: SaveState) => void;
  /** Called synchronously when the tab may be closing, with the edits that are not stored yet. */
  stash: (changes: readonly Changes[], versions: ReadonlyMap<string, number>) => void;
}

type Hands = Omit<EditorParts, "blocks" | "newId" | "mounts">;

const idsOf = (components: readonly Component[]) => new Set(components.map(({ _id }) => _id));

export const asBlock = ({ _id, type, content }: Component): Block => ({ _id, type, content });

/** One open page: its editor, what is saved, and the base versions of its edits. */
export class PageSession {
  readonly mounts = new Mounts();
  readonly saver: PageSaver;
  readonly #parts: Parts;
  readonly #kept = new KeptPage(() => this.saver.underway);
  readonly #listeners = new Set<() => void>();
  readonly #memory: UndoMemory;
  /** The initial content of the editor. */
  #components: readonly Component[];
  #editor: Editor | undefined;
  /** The document when the editor was unmounted; remaining edits are saved from it. */
  #leftDoc: PmNode | undefined;
  #wasFocused = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#components = parts.components;
    this.#kept.learnVersions(parts.components);
    this.#memory = new UndoMemory(parts.userId, parts.pageId);
    this.saver = new PageSaver({
      take: () => this.#take(),
      keep: (changes) => this.#keep(changes),
      onState: parts.onState,
    });
  }

  get pageId(): string {
    return this.#parts.pageId;
  }

  get editor(): Editor | undefined {
    return this.#editor;
  }

  /** Mounts the editor; returns a function that unmounts it. */
  mount(hands: Hands): () => void {
    const { newId } = this.#parts;
    const blocks = this.#components.map(asBlock);
    const editor = createPageEditor({ ...hands, newId, blocks, mounts: this.mounts });
    this.#editor = editor;
    const stored = idsOf(this.#components);
    this.#memory.recallInto(editor, stored);
    this.#kept.open(editor.state.doc, stored);
    editor.on("transaction", ({ transaction, appendedTransactions }) => {
      if (!transaction.docChanged && !appendedTransactions.some((each) => each.docChanged)) return;
      this.#memory.hear(transaction, editor.state, undoDepth(editor.state));
      for (const listener of this.#listeners) listener();
      if (transaction.getMeta(REMOTE) === undefined) this.saver.edited();
    });
    editor.on("focus", () => (this.#wasFocused = true));
    editor.on("blur", () => void this.saver.flush());
    const leave = () => {
      this.#parts.stash(this.#kept.unkept(editor.state.doc), this.#kept.versions);
      this.#memory.save(editor.state.doc);
      void this.saver.flush();
    };
    const print = () => this.mounts.showAll();
    window.addEventListener("pagehide", leave);
    window.addEventListener("beforeprint", print);
    document.addEventListener("visibilitychange", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("beforeprint", print);
      document.removeEventListener("visibilitychange", leave);
      this.#leftDoc = editor.state.doc;
      void this.saver.flush();
      this.#memory.save(editor.state.doc);
      this.#editor = undefined;
      this.mounts.stop();
      editor.destroy();
    };
  }

  blocks(): Block[] {
    const doc = this.#editor?.state.doc;
    return doc ? listBlocks(doc).map(({ node }) => blockOf(node)) : this.#components.map(asBlock);
  }

  /** Notifies the listener on every document change. */
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly isEmpty = (): boolean => {
    const doc = this.#editor?.state.doc;
    if (!doc) return this.#components.length === 0;
    return (
      doc.childCount === 1 &&
      listBlocks(doc).every(({ node }) => node.type.name === "text_block" && node.content.size === 0)
    );
  };

  focus(): void {
    const view = this.#editor?.view;
    if (!view) return;
    // Synchronous, because the next key would otherwise still go to the previous focus.
    view.dispatch(view.state.tr.setSelection(Selection.atStart(view.state.doc)));
    view.focus();
  }

  /**
   * The block with the caret; undefined until the editor was focused once, because ProseMirror always has a selection.
   */
  caretBlockId(): string | undefined {
    const editor = this.#wasFocused ? this.#editor : undefined;
    const block = editor && blockAround(editor.state.selection.$from);
    return block ? String(block.node.attrs["id"]) : undefined;
  }

  insertAtCaret({ _id: id, type, content }: Block): void {
    const view = this.#editor?.view;
    if (view) insertBlock({ id, type, content })(view.state, view.dispatch);
  }

  /** Appends to the page, before its trailing empty line. */
  append(block: Block): void {
    const view = this.#editor?.view;
    if (!view) return;
    const { tr } = view.state;
    view.dispatch(
      tr.insert(this.#endOfPage(), view.state.schema.nodeFromJSON(toBlockNode(block))).setMeta(NEW_IDS, [block._id]),
    );
    this.#editor?.commands.focus("end");
  }

  /** Appends Markdown as blocks, in one undo step. */
  appendMarkdown(text: string): void {
    const view = this.#editor?.view;
    if (!view) return;
    const { state } = view;
    const nodes = nodesOfMarkdown(state.schema, text, this.#parts.newId);
    view.dispatch(
      state.tr.insert(this.#endOfPage(), nodes).setMeta(
        NEW_IDS,
        nodes.map((n) => String(n.attrs["id"])),
      ),
    );
    this.#editor?.commands.focus("end");
  }

  /** Moves components to the end of another page, in one undo step. */
  async moveTo(toPageId: string, componentIds: readonly string[]): Promise<void> {
    await this.saver.flush();
    const view = this.#editor?.view;
    if (!view) return;
    const tr = view.state.tr.setMeta(MOVED, true);
    for (const id of componentIds) {
      const placed = findBlock(tr.doc, id);
      if (!placed || !this.#kept.holds(id)) continue;
      this.#memory.moves.set(id, toPageId);
      removeBlock(tr, placed.pos);
    }
    view.dispatch(closeHistory(tr));
    await this.saver.flush();
  }

  /** Removes a block that was inserted programmatically; not an undo step. */
  withdraw(componentId: string): void {
    const view = this.#editor?.view;
    const placed = view && findBlock(view.state.doc, componentId);
    if (!placed) return;
    const tr = view.state.tr.setMeta("addToHistory", false);
    removeBlock(tr, placed.pos);
    view.dispatch(tr);
  }

  #endOfPage(): number {
    const doc = this.#editor?.state.doc;
    const last = doc && listBlocks(doc).at(-1);
    if (!last) return 1;
    const isBareLine = last.node.type.name === "text_block" && last.node.content.size === 0;
    return last.pos + (isBareLine ? 0 : last.node.nodeSize);
  }

  text(): string {
    const doc = this.#editor?.state.doc;
    if (!doc) return "";
    const lines = listBlocks(doc).map(({ node }) => node.textContent);
    return lines.filter((line) => line.trim() !== "").join("\n");
  }

  has(componentId: string): boolean {
    const doc = this.#editor?.state.doc;
    return doc !== undefined && findBlock(doc, componentId) !== undefined;
  }

  /** The current content in the editor, including text. */
  currentContent(componentId: string): Record<string, unknown> | undefined {
    const doc = this.#editor?.state.doc;
    const node = doc && findBlock(doc, componentId)?.node;
    return node && blockOf(node).content;
  }

  /** Inserts an earlier text as a new line below the current one, in one undo step. */
  insertCopyBelow(componentId: string, content: Record<string, unknown>): void {
    const view = this.#editor?.view;
    const placed = view && findBlock(view.state.doc, componentId);
    if (!placed) return;
    const id = this.#parts.newId();
    const node = view.state.schema.nodeFromJSON(toBlockNode({ _id: id, type: "text", content }));
    view.dispatch(view.state.tr.insert(placed.pos + placed.node.nodeSize, node).setMeta(NEW_IDS, [id]));
  }

  contentOf(componentId: string): Record<string, unknown> | undefined {
    const doc = this.#editor?.state.doc;
    const node = doc && findBlock(doc, componentId)?.node;
    return node?.attrs["content"] as Record<string, unknown> | undefined;
  }

  /** Edits a component block; these blocks have an undo of their own, so the page's history skips it. */
  edit(componentId: string, content: Record<string, unknown>): void {
    const editor = this.#editor;
    const placed = editor && findBlock(editor.state.doc, componentId);
    if (!placed) return;
    const { tr } = editor.state;
    editor.view.dispatch(tr.setNodeAttribute(placed.pos, "content", content).setMeta("addToHistory", false));
  }

  /** Shows content from the server or another device without moving the caret or sending it back. */
  receive(componentId: string, content: Record<string, unknown>, version: number | undefined): void {
    const editor = this.#editor;
    if (!editor) return this.#receiveEarly(componentId, content, version);
    const before = findBlock(editor.state.doc, componentId)?.node;
    const isOwn = before !== undefined && this.#kept.isOwn(componentId, before);
    // The unsaved local edit is based on older content: it keeps its base version, and the server merges or reports a
    // conflict.
    if (isOwn && !isBuiltOn(before.attrs["content"], content)) return;
    // The version of the content shown from now on, which may not be the highest one known.
    if (version !== undefined) this.#kept.versions.set(componentId, version);
    if (!before) return;
    const tr = patchContent(editor.state, { _id: componentId, type: blockOf(before).type, content });
    if (tr) editor.view.dispatch(tr);
    const after = findBlock(editor.state.doc, componentId)?.node;
    if (after && !isOwn) this.#kept.keepNode(componentId, after);
  }

  /** The editor is not mounted yet and will open with this content. */
  #receiveEarly(componentId: string, content: Record<string, unknown>, version: number | undefined): void {
    this.#components = this.#components.map((component) =>
      component._id === componentId ? ({ ...component, content } as Component) : component,
    );
    if (version !== undefined) this.#kept.versions.set(componentId, version);
  }

  learnVersion(componentId: string, version: number): void {
    this.#kept.learnVersion(componentId, version);
  }

  /** Applies the current page from the server or other devices; blocks with unsaved edits stay as they are. */
  receivePage(components: readonly Component[]): void {
    const editor = this.#editor;
    if (!editor) {
      this.#components = components;
      this.#kept.learnVersions(components);
      return;
    }
    const own = this.#kept.own(editor.state.doc);
    const wanted = components.filter((component) => !own.deleted.has(component._id));
    this.#kept.learnVersions(components, own);
    const tr = patchPage(editor.state, wanted.map(asBlock), own.written);
    if (tr) editor.view.dispatch(tr);
    const ids = idsOf(components);
    this.#memory.recallInto(editor, ids);
    this.#kept.settle(editor.state.doc, ids, own);
  }

  /** Shows a component that the server already has, such as an uploaded file. */
  insertStored(component: Component, place: Between): void {
    const editor = this.#editor;
    if (!editor) return;
    const { _id: id, version } = component;
    const pos = placeOf(editor.state.doc, place) ?? this.#endOfPage();
    const node = editor.schema.nodeFromJSON(toBlockNode(asBlock(component)));
    const tr = editor.state.tr.insert(pos, node).setMeta("addToHistory", false).setMeta(REMOTE, [id]);
    editor.view.dispatch(tr);
    this.learnVersion(id, version);
    const placed = findBlock(editor.state.doc, id)?.node;
    if (!placed) return;
    this.#kept.addStored(id, placed);
    this.saver.edited();
  }

  #take(): { changes: Changes; putBack(): void } | undefined {
    const doc = this.#editor?.state.doc ?? this.#leftDoc;
    return doc && this.#kept.take(doc);
  }

  async #keep({ created, updated, deleted, order }: Changes): Promise<void> {
    const { keeper, pageId, userId } = this.#parts;
    const now = Date.now();
    const kept: Promise<unknown>[] = [];
    const { moves } = this.#memory;
    for (const id of deleted) {
      const to = moves.get(id);
      kept.push(to === undefined ? keeper.remove(id) : keeper.move(id, { from: pageId, to }));
    }
    for (const { block, index } of created) {
      const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: userId, lastOpenedAt: null, version: 1 };
      const from = moves.get(block._id);
      if (from !== undefined) {
        kept.push(keeper.move(block._id, { from, to: pageId, index }));
        continue;
      }
      this.learnVersion(block._id, 1);
      kept.push(keeper.create({ ...block, ...meta } as Component, index));
    }
    for (const { _id, content } of updated) kept.push(keeper.update(_id, content, this.#kept.versions.get(_id)));
    if (order) kept.push(keeper.arrange(order));
    await Promise.all(kept);
  }
}
