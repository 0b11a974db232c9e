import type { Editor } from "@tiptap/core";
import { closeHistory, undoDepth } from "@tiptap/pm/history";
import type { Node as PmNode } from "@tiptap/pm/model";
import { Selection } from "@tiptap/pm/state";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import type { Component } from "#shared/pages/schema.ts";
import { BlockMounts } from "../editor/block-view.ts";
import { toStoredBlock, type Changes } from "../editor/changes.ts";
import { readBlockText } from "../editor/block-text.ts";
import { findBlockAt, findBlock, listBlocks, removeBlock } from "../editor/chunks.ts";
import { insertBlock } from "../editor/commands.ts";
import { createPageEditor, type PageEditorOptions } from "../editor/create-editor.ts";
import { markdownToNodes } from "../editor/markdown.ts";
import { isDeckExtension, findInsertPos, type Neighbours } from "../editor/block-position.ts";
import { patchContent, patchPage } from "../editor/apply-remote.ts";
import { NEW_IDS, REMOTE } from "../editor/structure.ts";
import { type PageWriter, writeChanges } from "./page-writer.ts";
import { DirtyTracking } from "./dirty-tracking.ts";
import type { DraftSlot } from "#webapp/offline/draft-store.ts";
import { DraftWriter } from "./draft-writer.ts";
import { toEditStash, type EditStash } from "./last-edits.ts";
import { PageFieldHistory } from "./page-field-history.ts";
import { PageSaver, type SaveState } from "./page-saver.ts";
import { MOVED, StoredUndo } from "./stored-undo.ts";

interface SessionDeps {
  pageId: string;
  userId: string;
  components: readonly Component[];
  writer: PageWriter;
  newId: () => string;
  onState: (state: SaveState) => void;
  /** Called synchronously when the tab may be closing, with the edits that are not stored yet. */
  stash: (edits: EditStash | undefined) => void;
  /** Where edits are stored a moment after each key, until the queue has them. */
  draft: DraftSlot;
}

type MountOptions = Omit<PageEditorOptions, "blocks" | "newId" | "mounts">;

const collectIds = (components: readonly Component[]) => new Set(components.map(({ _id }) => _id));

export const toBlock = ({ _id, type, content }: Component): Block => ({ _id, type, content });

/** One open page: its editor, its saved blocks, and the base versions of its edits. */
export class PageSession {
  readonly mounts = new BlockMounts();
  /** The title and emoji are part of the page, but undone together with its text. */
  readonly fieldHistory = new PageFieldHistory();
  readonly saver: PageSaver;
  readonly #deps: SessionDeps;
  readonly #writes = new DirtyTracking(() => this.saver.inFlight);
  readonly #listeners = new Set<() => void>();
  readonly #memory: StoredUndo;
  readonly #drafts: DraftWriter;
  /** The initial content of the editor. */
  #components: readonly Component[];
  #editor: Editor | undefined;
  /** The document when the editor was unmounted; remaining edits are saved from it. */
  #unmountedDoc: PmNode | undefined;
  #wasFocused = false;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#components = deps.components;
    this.#writes.learnVersions(deps.components);
    this.#memory = new StoredUndo(deps.userId, deps.pageId);
    this.saver = new PageSaver({
      take: () => this.#take(),
      write: (changes) => this.#write(changes),
      onState: (state) => {
        deps.onState(state);
        if (state === "saved") this.#drafts.schedule();
      },
    });
    this.#drafts = new DraftWriter({ collect: () => this.#collectEdits(), slot: deps.draft });
  }

  get pageId(): string {
    return this.#deps.pageId;
  }

  get editor(): Editor | undefined {
    return this.#editor;
  }

  /** Mounts the editor; returns a function that unmounts it. */
  mount(options: MountOptions): () => void {
    const { newId } = this.#deps;
    const blocks = this.#components.map(toBlock);
    const editor = createPageEditor({ ...options, newId, blocks, mounts: this.mounts });
    this.#editor = editor;
    const stored = collectIds(this.#components);
    this.#memory.restoreInto(editor, stored);
    this.#writes.open(editor.state.doc, stored);
    editor.on("transaction", ({ transaction, appendedTransactions }) => {
      if (!transaction.docChanged && !appendedTransactions.some(({ docChanged }) => docChanged)) return;
      this.#memory.record(transaction, editor.state, undoDepth(editor.state));
      for (const listener of this.#listeners) listener();
      if (transaction.getMeta(REMOTE) !== undefined) return;
      this.saver.markDirty();
      this.#drafts.schedule();
    });
    editor.on("focus", () => {
      this.#wasFocused = true;
    });
    editor.on("blur", () => void this.saver.flush());
    const onLeave = () => {
      this.#deps.stash(this.#collectEdits());
      this.#memory.save(editor.state.doc);
      void this.saver.flush();
    };
    const endDrafts = this.#drafts.start();
    const onPrint = () => this.mounts.showAll();
    window.addEventListener("pagehide", onLeave);
    window.addEventListener("beforeprint", onPrint);
    document.addEventListener("visibilitychange", onLeave);
    return () => {
      window.removeEventListener("pagehide", onLeave);
      window.removeEventListener("beforeprint", onPrint);
      document.removeEventListener("visibilitychange", onLeave);
      this.#unmountedDoc = editor.state.doc;
      void this.saver.flush().then(endDrafts);
      this.#memory.save(editor.state.doc);
      this.#editor = undefined;
      this.mounts.stop();
      editor.destroy();
    };
  }

  blocks(): Block[] {
    const doc = this.#editor?.state.doc;
    return doc ? listBlocks(doc).map(({ node }) => toStoredBlock(node)) : this.#components.map(toBlock);
  }

  /** Notifies the listener on every document change. */
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly hasEditor = (): boolean => this.#editor !== undefined;

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
    const block = editor && findBlockAt(editor.state.selection.$from);
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
    const nodes = markdownToNodes(state.schema, text, this.#deps.newId);
    const ids = nodes.map(({ attrs }) => String(attrs["id"]));
    view.dispatch(state.tr.insert(this.#endOfPage(), nodes).setMeta(NEW_IDS, ids));
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
      if (!placed || !this.#writes.hasBlock(id)) continue;
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
    const lines = listBlocks(doc).map(({ node }) => readBlockText(node));
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
    return node && toStoredBlock(node).content;
  }

  /** Inserts an earlier text as a new line below the current one, in one undo step. */
  insertCopyBelow(componentId: string, content: Record<string, unknown>): void {
    const view = this.#editor?.view;
    const placed = view && findBlock(view.state.doc, componentId);
    if (!placed) return;
    const id = this.#deps.newId();
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
    if (!editor) return this.#receiveBeforeMount(componentId, content, version);
    const before = findBlock(editor.state.doc, componentId)?.node;
    const hasLocalEdits = before !== undefined && this.#writes.hasLocalEdits(componentId, before);
    // The unsaved local edit is based on older content: it keeps its base version, and the server merges or reports a
    // conflict.
    if (hasLocalEdits && !isDeckExtension(before.attrs["content"], content)) return;
    // The version of the content shown from now on, which may not be the highest one known.
    if (version !== undefined) this.#writes.versions.set(componentId, version);
    if (!before) return;
    const tr = patchContent(editor.state, { _id: componentId, type: toStoredBlock(before).type, content });
    if (tr) editor.view.dispatch(tr);
    const after = findBlock(editor.state.doc, componentId)?.node;
    if (after && !hasLocalEdits) this.#writes.setSavedNode(componentId, after);
  }

  /** The editor is not mounted yet and will open with this content. */
  #receiveBeforeMount(componentId: string, content: Record<string, unknown>, version: number | undefined): void {
    this.#components = this.#components.map((component) =>
      component._id === componentId ? ({ ...component, content } as Component) : component,
    );
    if (version !== undefined) this.#writes.versions.set(componentId, version);
  }

  learnVersion(componentId: string, version: number): void {
    this.#writes.learnVersion(componentId, version);
    // The stored draft still has the older base version.
    this.#drafts.schedule();
  }

  /** Applies the current page from the server or other devices; blocks with unsaved edits stay as they are. */
  receivePage(components: readonly Component[]): void {
    const editor = this.#editor;
    if (!editor) {
      this.#components = components;
      this.#writes.learnVersions(components);
      return;
    }
    const localEdits = this.#writes.localEdits(editor.state.doc);
    const shownComponents = components.filter((component) => !localEdits.deleted.has(component._id));
    this.#writes.learnVersions(components, localEdits);
    const tr = patchPage(editor.state, shownComponents.map(toBlock), localEdits.written);
    if (tr) editor.view.dispatch(tr);
    const ids = collectIds(components);
    this.#memory.restoreInto(editor, ids);
    this.#writes.acceptPage(editor.state.doc, ids, localEdits);
  }

  /** Shows a component that the server already has, such as an uploaded file. */
  insertStored(component: Component, neighbours: Neighbours): void {
    const editor = this.#editor;
    if (!editor) return;
    const { _id: id, version } = component;
    const pos = findInsertPos(editor.state.doc, neighbours) ?? this.#endOfPage();
    const node = editor.schema.nodeFromJSON(toBlockNode(toBlock(component)));
    const tr = editor.state.tr.insert(pos, node).setMeta("addToHistory", false).setMeta(REMOTE, [id]);
    editor.view.dispatch(tr);
    this.learnVersion(id, version);
    const placed = findBlock(editor.state.doc, id)?.node;
    if (!placed) return;
    this.#writes.addStored(id, placed);
    this.saver.markDirty();
  }

  /** The unsaved edits, without moved components, which are saved with the page that they moved to. */
  #collectEdits(): EditStash | undefined {
    const doc = this.#currentDoc();
    return doc && toEditStash(this.#writes.listPendingChanges(doc), this.#writes.versions, this.#memory.moves);
  }

  #currentDoc(): PmNode | undefined {
    return this.#editor?.state.doc ?? this.#unmountedDoc;
  }

  #take(): { changes: Changes; putBack(): void } | undefined {
    const doc = this.#currentDoc();
    return doc && this.#writes.take(doc);
  }

  #write(changes: Changes): Promise<void> {
    return writeChanges(changes, {
      ...this.#deps,
      moves: this.#memory.moves,
      versionOf: (id) => this.#writes.versions.get(id),
      learnVersion: (id, version) => this.learnVersion(id, version),
    });
  }
}
