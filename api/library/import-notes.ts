import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { ulid } from "ulid";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { imports as german } from "#shared/messages/de/content/imports.ts";
import { imports as english } from "#shared/messages/en/content/imports.ts";
import type { ReasonKey } from "#shared/messages/reasons.ts";
import type { imports } from "#shared/library/import-contract.ts";
import type { NotesImportLoss, NotesImportEvent } from "#shared/library/import-schema.ts";
import type { FolderItem } from "#shared/library/schema.ts";
import { DEFAULT_DECK_TITLE } from "#shared/flashcards/schema.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import type { Component } from "#shared/pages/schema.ts";
import { familyOf } from "#shared/uploads/rules.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import type { FromNotes, NoteFile, NotePage, NotesFault } from "#api/documents/notes/notes-messages.ts";
import { NotesProcessError, readNotes } from "#api/documents/notes/notes-reader.ts";
import { archivePages, isComponentMissing, createNotePage } from "#api/pages/create/create-note-page.ts";
import { singleUploadCount, storeFile } from "#api/uploads/store-upload.ts";
import { readLanguage } from "#api/user/service.ts";
import { createOrRestoreFolder, removeEmptyFolders } from "./apply-folder.ts";
import { removeAllFromLists } from "./remove-from-lists.ts";
import {
  changeImport,
  findImport,
  removeImport,
  type ImportDoc,
  listImportDocs,
  listUndoablePages,
  listUnfinishedImports,
  mergeLosses,
  presentImport,
  saveImport,
} from "./import-store.ts";

const MAX_FILE_BYTES = 320 * 1024 * 1024;
/** Save the list of imported pages after this many, so that an interrupted import can be undone. */
const SAVE_EVERY_PAGES = 50;

const NOTES_FAILURES = {
  not_an_archive: {
    code: "invalid_file",
    reason: "zip_damaged",
  },
  too_large: {
    code: "too_large",
    reason: "archive_too_large",
  },
  unsafe: {
    code: "invalid_file",
    reason: "archive_names_outside",
  },
  encrypted: {
    code: "invalid_file",
    reason: "archive_encrypted",
  },
  nothing_inside: { code: "invalid_file", reason: "archive_empty" },
  timeout: { code: "timed_out", reason: "archive_took_too_long" },
  crashed: { code: "invalid_file", reason: "archive_unreadable" },
} as const satisfies Record<NotesFault, { code: FailureCode; reason: ReasonKey }>;

export const importHandlers: Handlers<typeof imports> = {
  async *importNotes(ctx, _input, files) {
    const file = files[0];
    if (!file) throw new Failure("bad_input", "choose_import");
    try {
      yield* new NotesImportRun(ctx, file).run();
    } catch (error) {
      if (!(error instanceof NotesProcessError)) throw error;
      const { requestId, log } = ctx;
      if (error.trace !== undefined) log.error({ requestId, trace: error.trace }, "the notes reader failed");
      const { code, reason } = NOTES_FAILURES[error.fault];
      throw new Failure(code, reason);
    }
  },

  async listImports({ own, clock }) {
    return { imports: (await listImportDocs(own, clock.now())).map(presentImport) };
  },

  async undoImport({ own, clock }, { id }) {
    const doc = await findImport(own, id);
    if (!doc) throw new Failure("not_found", "no_import");
    const now = clock.now();
    await removeAllFromLists(own, await archivePages(own, await listUndoablePages(own, doc), now), `undo:${id}:${now}`);
    await removeEmptyFolders(own, doc.folderIds.toReversed(), now);
    const changed = await changeImport(own, id, { removedAt: doc.removedAt ?? now });
    await publishChanges(own, [{ kind: "everything", ids: [] }]);
    return { import: presentImport(changed ?? doc) };
  },
};

const deriveId = (pageId: string, index: number) =>
  hash("sha256", `${pageId}:${index}`, "base64url").replaceAll(/[-_]/g, "0").slice(0, 26);

/** The component for a block of a note; undefined for files, which are stored separately. */
function toComponent(block: NewBlock, _id: string, { id: pageId, title: noteTitle }: NotePage): Component | undefined {
  if (block.type === "file") return undefined;
  const base = { _id, pageId, createdAt: 0, modifiedAt: 0, createdBy: "", lastOpenedAt: null, version: 1 };
  if (block.type !== "flash_cards") return { ...base, ...block };
  const cards = block.content.cards.map((card, index) => ({
    ...card,
    id: deriveId(_id, index),
    questionImage: null,
    citation: null,
  }));
  const title = block.content.title || noteTitle || DEFAULT_DECK_TITLE;
  return { ...base, type: "flash_cards", content: { title, cards, minimized: false } };
}

/** One import of a notes archive. Every step is idempotent, so a repeated import recognises what exists. */
class NotesImportRun {
  readonly #ctx: UserCtx;
  readonly #file: ReceivedFile;
  readonly #files = new Map<string, ReceivedFile>();
  readonly #items = new Map<string, FolderItem[]>();
  readonly #doc: Omit<ImportDoc, "ownerId">;
  readonly #known = new Set<string>();
  #folders: Extract<FromNotes, { type: "opened" }>["folders"] = [];
  #total = 0;

  constructor(ctx: UserCtx, file: ReceivedFile) {
    this.#ctx = ctx;
    this.#file = file;
    this.#doc = {
      _id: ulid(ctx.clock.now()),
      name: file.name.slice(0, 300),
      kind: "markdown",
      state: "running",
      createdAt: ctx.clock.now(),
      folderId: null,
      pages: 0,
      known: 0,
      folders: 0,
      files: 0,
      decks: 0,
      links: 0,
      losses: [],
      removedAt: null,
      pageIds: [],
      folderIds: [],
    };
  }

  async *run(): AsyncGenerator<NotesImportEvent> {
    const { own, signal } = this.#ctx;
    const name = this.#file.name.replace(/\.zip$/i, "");
    const { other_files: otherFilesTitle } = (await readLanguage(this.#ctx)) === "de" ? german : english;
    const request = { path: await this.#file.path(), name, seed: own.ownerId, otherFilesTitle };
    try {
      for await (const message of readNotes(request, signal)) {
        await this.#handleMessage(message);
        if (message.type === "opened" || message.type === "page")
          yield { type: "progress", done: this.#doc.pages + this.#doc.known, total: this.#total };
      }
      this.#doc.state = "done";
    } finally {
      // Runs after an error or disconnect too, so that imported pages are in their folders and the import can be
      // undone.
      await this.#finish();
    }
    yield { type: "result", result: presentImport(this.#doc) };
  }

  async #handleMessage(message: FromNotes): Promise<void> {
    switch (message.type) {
      case "opened":
        this.#doc.kind = message.kind;
        this.#folders = message.folders;
        this.#total = message.notes;
        await saveImport(this.#ctx.own, this.#doc);
        return undefined;
      case "file":
        return this.#receiveFile(message.file);
      case "page":
        return this.#storePage(message.page);
      case "read":
        this.#doc.losses = mergeLosses(this.#doc.losses, message.losses);
        return undefined;
      case "failed":
        return undefined;
      default:
        return message satisfies never;
    }
  }

  async #receiveFile({ path, name, bytes }: NoteFile): Promise<void> {
    const received = await this.#ctx.blobs.receive(Readable.from([bytes]), MAX_FILE_BYTES);
    this.#files.set(path, Object.assign(received, { field: "file", name, type: "" }));
  }

  async #storePage(page: NotePage): Promise<void> {
    const { own, clock } = this.#ctx;
    const blocks = page.blocks.map((block, index) => ({ block, id: deriveId(page.id, index) }));
    const components = blocks.flatMap(({ block, id }) => toComponent(block, id, page) ?? []);
    const { id: pageId, title, emoji } = page;
    const order = blocks.map(({ id }) => id);
    const placement = await createNotePage(own, { pageId, title, emoji, components, order, now: clock.now() });
    const doc = this.#doc;
    if (placement === "known") {
      doc.known += 1;
      this.#known.add(pageId);
    } else {
      doc.pages += 1;
      doc.pageIds.push(pageId);
      doc.links += page.links;
      doc.decks += components.filter(({ type }) => type === "flash_cards").length;
    }
    for (const { block, id } of blocks)
      if (block.type === "file") await this.#storeNoteFile(pageId, id, block.content.address);
    const item = { item_id: pageId, item_type: "page" as const, created_at: clock.now() };
    this.#items.set(page.folder, [...(this.#items.get(page.folder) ?? []), item]);
    if ((doc.pages + doc.known) % SAVE_EVERY_PAGES === 0) await this.#saveRecord();
  }

  /** A refused file is listed in the report; its note is imported without it. */
  async #storeNoteFile(pageId: string, componentId: string, path: string): Promise<void> {
    const file = this.#files.get(path);
    if (!file || !(await isComponentMissing(this.#ctx.own, componentId))) return;
    try {
      const day = singleUploadCount(this.#ctx);
      await storeFile(this.#ctx, { family: familyOf(file), file, pageId, componentId, day });
      this.#doc.files += 1;
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      const what = error.code === "limit_reached" ? "uploads_used_up" : "refused_files";
      this.#recordLoss({ what, count: 1, examples: [path.slice(0, 120)] });
    }
  }

  async #saveRecord(): Promise<void> {
    const { _id, ...rest } = this.#doc;
    await changeImport(this.#ctx.own, _id, rest);
  }

  #recordLoss(loss: NotesImportLoss): void {
    this.#doc.losses = mergeLosses(this.#doc.losses, [loss]);
  }

  async #finish(): Promise<void> {
    for (const file of this.#files.values()) await file.discard();
    const doc = this.#doc;
    if (doc.pages + doc.known > 0) await this.#createFolders();
    await this.#adoptUnfinishedImports();
    if (doc.state === "running") doc.state = "stopped";
    await this.#saveRecord();
    await publishChanges(this.#ctx.own, [{ kind: "everything", ids: [] }]);
  }

  /** Adopts pages of an unfinished import of the same archive, so that one undo removes everything. */
  async #adoptUnfinishedImports(): Promise<void> {
    const { own, clock } = this.#ctx;
    const doc = this.#doc;
    for (const { _id, state, ...earlier } of await listUnfinishedImports(own, doc, clock.now())) {
      const found = earlier.pageIds.filter((id) => this.#known.delete(id));
      const remaining = earlier.pageIds.filter((id) => !found.includes(id));
      doc.pageIds.unshift(...found);
      doc.pages += found.length;
      doc.known -= found.length;
      // An import that may still be running keeps its record.
      if (state === "running") continue;
      if (remaining.length > 0) await changeImport(own, _id, { pageIds: remaining, pages: remaining.length });
      else {
        for (const what of ["files", "decks", "links"] as const) doc[what] += earlier[what];
        await removeImport(own, _id);
      }
    }
  }

  /** Creates folders that contain imported items, children first, so that no folder is visible before its content. */
  async #createFolders(): Promise<void> {
    const { own, clock } = this.#ctx;
    const now = clock.now();
    const createdIds: string[] = [];
    for (const { id, path, title, parent } of this.#folders.toReversed()) {
      const items = this.#items.get(path) ?? [];
      if (items.length === 0) continue;
      // Folders before pages; both are already sorted by name.
      const sorted = items.toSorted((a, b) => Number(b.item_type === "folder") - Number(a.item_type === "folder"));
      await createOrRestoreFolder(own, { _id: id, title, color: "BLUE", items: sorted }, now);
      createdIds.unshift(id);
      if (parent === undefined) continue;
      const item = { item_id: id, item_type: "folder" as const, created_at: now };
      this.#items.set(parent, [item, ...(this.#items.get(parent) ?? [])]);
    }
    this.#doc.folderIds = createdIds;
    this.#doc.folders = createdIds.length;
    this.#doc.folderId = this.#folders[0]?.id ?? null;
  }
}
