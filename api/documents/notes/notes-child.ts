import { isUploadable } from "#shared/uploads/rules.ts";
import { startWatchdog } from "../process/watchdog.ts";
import { createNoteReader } from "./note-limits.ts";
import { NoteLosses } from "./note-losses.ts";
import { readAliases } from "./convert-note.ts";
import { type ArchivedFile, NotesUnreadableError, openNotes } from "./notes-archive.ts";
import type { FromNotes, NotePage, ToNotes } from "./notes-messages.ts";
import { buildOtherFilesId, type NotesTree, buildNotesTree } from "./notes-tree.ts";
import { createPageReader } from "./read-page.ts";

const MB = 1024 * 1024;
const MAX_MEMORY_BYTES = 1400 * MB;

const reportAlive = startWatchdog({ memoryBytes: MAX_MEMORY_BYTES, maxSilentCpuMs: 30_000 });

let acknowledge: (() => void) | undefined;

/** Sends one message and waits until the parent has acknowledged it. */
async function send(message: FromNotes): Promise<void> {
  reportAlive();
  const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
  process.send?.(message);
  await acknowledged;
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

  listUnsent(): string[] {
    return [...this.#tree.files.keys()].filter((path) => !this.#sent.has(path));
  }

  async #send(path: string): Promise<void> {
    const file = this.#tree.files.get(path);
    if (!file || this.#sent.has(path)) return;
    this.#sent.add(path);
    const bytes = await file.read().catch(() => undefined);
    if (bytes) await send({ type: "file", file: { path, name: path.slice(path.lastIndexOf("/") + 1), bytes } });
    else this.#losses.add("unreadable_files", path);
  }
}

async function read(request: ToNotes): Promise<void> {
  const losses = new NoteLosses();
  const readNote = createNoteReader(losses);
  const readAndReport = (file: ArchivedFile) => {
    reportAlive();
    return readNote(file);
  };
  const tree = await buildNotesTree(await openNotes(request.path), request, readAndReport);
  if (tree.notes.length === 0 && tree.files.size === 0) throw new NotesUnreadableError("nothing_inside");
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
  await sendOtherFiles(files, request, losses);
  await send({ type: "read", losses: losses.list() });
}

/** Sends the files that no note shows, on one extra page. */
async function sendOtherFiles(files: FileSender, request: ToNotes, losses: NoteLosses): Promise<void> {
  const unsent = files.listUnsent();
  for (const path of unsent) if (!isUploadable(path)) losses.add("unsupported_files", path);
  const paths = unsent.filter(isUploadable);
  if (paths.length === 0) return;
  const blocks = paths.map((path) => ({ type: "file" as const, content: { address: path, name: "" } }));
  const page = {
    id: buildOtherFilesId(request, paths),
    title: request.otherFilesTitle,
    emoji: null,
    folder: "",
    blocks,
    links: 0,
  };
  await files.sendFor(page);
  await send({ type: "page", page });
}

/** Where an unexpected error was thrown. Its message is left out, because it may contain text of a note. */
function describeCrash(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return [error.name, ...frames].join("\n");
}

process.on("message", (message: ToNotes | "ack") => {
  if (message === "ack") return acknowledge?.();
  read(message)
    .catch((error: unknown) =>
      send(
        error instanceof NotesUnreadableError
          ? { type: "failed", fault: error.fault }
          : { type: "failed", fault: "crashed", trace: describeCrash(error) },
      ),
    )
    .finally(() => process.disconnect());
});
process.on("disconnect", () => process.exit(0));
