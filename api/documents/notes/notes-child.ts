import { startWatchdog } from "../process/watchdog.ts";
import { NoteLosses } from "./note-losses.ts";
import { readAliases } from "./convert-note.ts";
import { type ArchivedFile, NotesUnreadable, openNotes } from "./notes-archive.ts";
import type { FromNotes, NotePage, ToNotes } from "./notes-messages.ts";
import { buildOtherFilesId, type NotesTree, buildNotesTree } from "./notes-tree.ts";
import { createPageReader } from "./read-page.ts";

const MB = 1024 * 1024;
const MAX_MEMORY_BYTES = 1400 * MB;
const MAX_NOTES = 5_000;
const MAX_NOTE_BYTES = 20 * MB;
const MAX_TEXT_BYTES = 200 * MB;
/** File types that can become components; others are reported as unsupported. */
const SUPPORTED_FILES = /\.(?:jpe?g|png|gif|bmp|webp|tiff?|pdf|docx?|pptx?|mp4|m4v|mov|webm|ogv|avi)$/i;

const reportAlive = startWatchdog({ memoryBytes: MAX_MEMORY_BYTES, maxSilentCpuMs: 30_000 });

let acknowledge: (() => void) | undefined;

/** Sends one message and waits until the parent has taken it. */
async function send(message: FromNotes): Promise<void> {
  reportAlive();
  const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
  process.send?.(message);
  await acknowledged;
}

/** Reads notes up to the count and size limits. */
function createNoteReader(losses: NoteLosses): (file: ArchivedFile) => Promise<Buffer | undefined> {
  let [count, readBytes] = [0, 0];
  return async (file) => {
    reportAlive();
    count += 1;
    if (count > MAX_NOTES) losses.add("too_many_notes", file.path);
    if (file.sizeBytes > MAX_NOTE_BYTES || readBytes > MAX_TEXT_BYTES) losses.add("long_notes", file.path);
    if (count > MAX_NOTES || file.sizeBytes > MAX_NOTE_BYTES || readBytes > MAX_TEXT_BYTES) return undefined;
    const bytes = await file.read().catch(() => undefined);
    if (!bytes) losses.add("unreadable_notes", file.path);
    readBytes += bytes?.length ?? 0;
    return bytes;
  };
}

/** Sends each file once, before the page that shows it. */
class FileSender {
  readonly #sent = new Set<string>();
  readonly #tree: NotesTree;
  readonly #losses: NoteLosses;

  constructor(tree: NotesTree, losses: NoteLosses) {
    this.#tree = tree;
    this.#losses = losses;
  }

  async sendFor(page: NotePage): Promise<void> {
    for (const block of page.blocks) if (block.type === "file") await this.#send(block.content.address);
  }

  /** Files that no note shows, which get a page of their own. */
  listUnsent(): string[] {
    const unsent = [...this.#tree.files.keys()].filter((path) => !this.#sent.has(path));
    for (const path of unsent) if (!SUPPORTED_FILES.test(path)) this.#losses.add("unsupported_files", path);
    return unsent.filter((path) => SUPPORTED_FILES.test(path));
  }

  async #send(path: string): Promise<void> {
    const file = this.#tree.files.get(path);
    if (!file || this.#sent.has(path)) return;
    this.#sent.add(path);
    const bytes = await file.read().catch(() => undefined);
    if (bytes) await send({ type: "file", file: { path, name: path.slice(path.lastIndexOf("/") + 1), bytes } });
    else this.#losses.add("missing_files", path);
  }
}

async function read(request: ToNotes): Promise<void> {
  const losses = new NoteLosses();
  const tree = await buildNotesTree(await openNotes(request.path), request, createNoteReader(losses));
  if (tree.notes.length === 0 && tree.files.size === 0) throw new NotesUnreadable("nothing_inside");
  if (tree.tooDeep > 0) losses.add("too_deep", "", tree.tooDeep);
  for (const note of tree.notes) for (const alias of readAliases(note)) tree.addAlias(alias, note);
  await send({ type: "opened", kind: tree.kind, notes: tree.notes.length, folders: tree.folders });
  const files = new FileSender(tree, losses);
  const readPage = createPageReader(tree, losses);
  for (const note of tree.notes) {
    reportAlive();
    const page = readPage(note);
    if (!page) continue;
    await files.sendFor(page);
    await send({ type: "page", page });
  }
  await sendRest(files, request);
  await send({ type: "read", losses: losses.list() });
}

async function sendRest(files: FileSender, request: ToNotes): Promise<void> {
  const paths = files.listUnsent();
  if (paths.length === 0) return;
  const blocks = paths.map((path) => ({ type: "file" as const, content: { address: path, name: "" } }));
  const page = {
    id: buildOtherFilesId(request, paths),
    title: "Other files",
    emoji: null,
    folder: "",
    blocks,
    links: 0,
  };
  await files.sendFor(page);
  await send({ type: "page", page });
}

process.on("message", (message: ToNotes | "taken") => {
  if (message === "taken") return acknowledge?.();
  read(message)
    .catch((error: unknown) =>
      send({ type: "failed", fault: error instanceof NotesUnreadable ? error.fault : "crashed" }),
    )
    .finally(() => process.disconnect());
});
process.on("disconnect", () => process.exit(0));
