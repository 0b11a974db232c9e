import { hash } from "node:crypto";
import { MAX_FOLDER_DEPTH } from "#shared/library/rules.ts";
import type { NotesKind } from "#shared/library/import-schema.ts";
import type { ArchivedFile } from "./notes-archive.ts";
import type { NoteFolder, ToNotes } from "./notes-messages.ts";

/** Notion appends an id to file names. */
const NOTION_ID = /[ -]([0-9a-f]{32})(?:_all)?$/i;
const NOTE = /\.(md|markdown|txt|html?|csv)$/i;
const MAX_TITLE = 500;

export interface Note {
  file: ArchivedFile;
  id: string;
  /** From the file name. */
  name: string;
  format: "markdown" | "html" | "csv";
  /** Path of the imported folder that contains it. */
  folder: string;
  bytes: Buffer;
}

export interface NotesTree {
  kind: NotesKind;
  notes: Note[];
  folders: NoteFolder[];
  /** All other files, by path. */
  files: ReadonlyMap<string, ArchivedFile>;
  /** Resolves a link target relative to the note at `from`. */
  find(target: string, from: string): Note | ArchivedFile | undefined;
  addAlias(alias: string, note: Note): void;
}

const getBaseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const getParent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const removeExtension = (name: string) => name.replace(/\.[^./]+$/, "");
/** A readable name: without extension and Notion id. */
const readableName = (name: string) => name.replace(NOTION_ID, "").trim().slice(0, MAX_TITLE);
const extractNotionId = (name: string) => NOTION_ID.exec(name)?.[1]?.toLowerCase();

const digest = (...parts: string[]) =>
  hash("sha256", parts.join("\0"), "base64url").replaceAll(/[-_]/g, "0").slice(0, 26);

/** The id of the page for files that no note shows. */
export const buildOtherFilesId = ({ seed, name }: Pick<ToNotes, "seed" | "name">, paths: readonly string[]) =>
  digest(seed, "files", name, ...paths);

const isNote = (path: string) => NOTE.test(path) && !/\.excalidraw\.md$/i.test(path);

function detectFormat(path: string): Note["format"] {
  const [, extension = ""] = NOTE.exec(path) ?? [];
  if (/^html?$/i.test(extension)) return "html";
  return extension.toLowerCase() === "csv" ? "csv" : "markdown";
}

function detectKind(notes: readonly Note[], isVault: boolean): NotesKind {
  if (isVault) return "obsidian";
  if (notes.some(({ file }) => extractNotionId(removeExtension(getBaseName(file.path))) !== undefined)) return "notion";
  const markdown = notes.filter(({ format }) => format === "markdown");
  if (markdown.some(({ bytes }) => bytes.includes("[["))) return "obsidian";
  return markdown.length === 0 && notes.some(({ format }) => format === "html") ? "html" : "markdown";
}

/** The single top-level folder, if everything is inside one. */
function findRoot(paths: readonly string[]): string {
  const first = paths[0]?.split("/") ?? [];
  const [root] = first;
  return first.length > 1 && root !== undefined && paths.every((path) => path.startsWith(`${root}/`)) ? root : "";
}

/** All folders that contain notes, with their parents; folders that are too deep are merged into their parents. */
class FolderTree {
  readonly all: NoteFolder[] = [];
  readonly #importedPaths = new Map<string, string>();
  readonly #seed: string;
  tooDeep = 0;

  constructor(seed: string, title: string) {
    this.#seed = seed;
    this.all.push({ id: digest(seed, "folder", title), path: "", title, parent: undefined });
    this.#importedPaths.set("", "");
  }

  /** The imported folder for a path of the archive. */
  getFolder(path: string): string {
    const importedPath = this.#importedPaths.get(path);
    if (importedPath !== undefined) return importedPath;
    const parent = this.getFolder(getParent(path));
    if (parent.split("/").length >= MAX_FOLDER_DEPTH - 2) {
      this.tooDeep += 1;
      this.#importedPaths.set(path, parent);
      return parent;
    }
    const title = readableName(getBaseName(path)).slice(0, 300);
    this.all.push({ id: digest(this.#seed, "folder", this.all[0]?.title ?? "", path), path, title, parent });
    this.#importedPaths.set(path, path);
    return path;
  }
}

/** In Notion exports, a page with subpages has a folder of the same name beside it; the page moves into that folder. */
function findNoteFolder(path: string, folderPaths: ReadonlySet<string>): string {
  const stem = removeExtension(path).replace(/_all$/, "");
  if (folderPaths.has(stem)) return stem;
  const readablePath = `${getParent(path) === "" ? "" : `${getParent(path)}/`}${readableName(getBaseName(stem))}`;
  return folderPaths.has(readablePath) ? readablePath : getParent(path);
}

function listNoteFolders(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = getParent(path); folder !== "" && !folders.has(folder); folder = getParent(folder))
      folders.add(folder);
  return folders;
}

/** Resolves a link target: by path from the root or the note's folder, by file name, id or alias. */
class LinkFinder {
  readonly #byPath = new Map<string, Note | ArchivedFile>();
  readonly #byName = new Map<string, Note | ArchivedFile>();
  readonly #byId = new Map<string, Note>();
  readonly #byAlias = new Map<string, Note>();

  add(path: string, found: Note | ArchivedFile): void {
    const key = path.toLowerCase();
    this.#byPath.set(key, found);
    if ("bytes" in found && !this.#byPath.has(removeExtension(key))) this.#byPath.set(removeExtension(key), found);
    const names = "bytes" in found ? [getBaseName(key), removeExtension(getBaseName(key))] : [getBaseName(key)];
    // Of two files with the same name the one nearer to the root wins, as in Obsidian.
    for (const name of names) {
      const existing = this.#byName.get(name);
      const depth = path.split("/").length;
      const existingPath = existing && ("bytes" in existing ? existing.file.path : existing.path);
      if (existingPath === undefined || existingPath.split("/").length > depth) this.#byName.set(name, found);
    }
    const id = "bytes" in found ? extractNotionId(removeExtension(getBaseName(path))) : undefined;
    if (id !== undefined && "bytes" in found) this.#byId.set(id, found);
  }

  addAlias(alias: string, note: Note): void {
    if (!this.#byAlias.has(alias.toLowerCase())) this.#byAlias.set(alias.toLowerCase(), note);
  }

  find(target: string, from: string): Note | ArchivedFile | undefined {
    const key = target.normalize("NFC").toLowerCase();
    const id = /([0-9a-f]{32})(?:\.\w+)?$/.exec(key.replaceAll("-", ""))?.[1];
    return (
      this.#byPath.get(joinPath(getParent(from).toLowerCase(), key)) ??
      this.#byPath.get(joinPath("", key)) ??
      (id === undefined ? undefined : this.#byId.get(id)) ??
      this.#byName.get(getBaseName(key)) ??
      this.#byAlias.get(key)
    );
  }
}

/** Joins a relative path to a folder; a path that leaves the archive stays at its root. */
function joinPath(folder: string, path: string): string {
  const parts = path.startsWith("/") || folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

interface OpenedArchive {
  files: readonly ArchivedFile[];
  isVault: boolean;
}

/** The contents of an archive as notes in folders. `read` returns undefined for unreadable files. */
export async function buildNotesTree(
  { files, isVault }: OpenedArchive,
  { name, seed }: Pick<ToNotes, "seed" | "name">,
  read: (file: ArchivedFile) => Promise<Buffer | undefined>,
): Promise<NotesTree & { tooDeep: number }> {
  const root = findRoot(files.map(({ path }) => path));
  const rootedFiles = files.map((file) => ({
    ...file,
    path: root === "" ? file.path : file.path.slice(root.length + 1),
  }));
  // Notion exports a table twice: the visible rows, and all of them (`_all`).
  const fullTables = new Set(rootedFiles.map(({ path }) => path).filter((path) => /_all\.csv$/i.test(path)));
  const isCopy = (path: string) => /\.csv$/i.test(path) && fullTables.has(path.replace(/\.csv$/i, "_all.csv"));
  const noteFiles = rootedFiles.filter(({ path }) => isNote(path) && !isCopy(path));
  const folderPaths = listNoteFolders(noteFiles.map(({ path }) => path));
  const folders = new FolderTree(seed, (readableName(root) || readableName(name)).slice(0, 300));
  const [notes, finder] = [[] as Note[], new LinkFinder()];
  for (const file of noteFiles.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const bytes = await read(file);
    if (!bytes) continue;
    const note: Note = {
      file,
      id: digest(seed, "note", file.path, hash("sha256", bytes)),
      name: readableName(removeExtension(getBaseName(file.path)).replace(/_all$/, "")),
      format: detectFormat(file.path),
      folder: folders.getFolder(findNoteFolder(file.path, folderPaths)),
      bytes,
    };
    notes.push(note);
    finder.add(file.path, note);
  }
  const otherFiles = rootedFiles.filter(({ path }) => !isNote(path));
  for (const file of otherFiles) finder.add(file.path, file);
  return {
    kind: detectKind(notes, isVault),
    notes,
    folders: folders.all,
    files: new Map(otherFiles.map((file) => [file.path, file])),
    find: (target, from) => finder.find(target, from),
    addAlias: (alias, note) => finder.addAlias(alias, note),
    tooDeep: folders.tooDeep,
  };
}
