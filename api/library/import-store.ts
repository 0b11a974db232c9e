import { NotesImport, type NotesImportLoss } from "#shared/library/import-schema.ts";
import { MAX_EXAMPLES } from "#api/documents/notes/note-losses.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";

export interface ImportDoc extends OwnedDoc, Omit<NotesImport, "_id"> {
  /** Pages created or restored by the import, and removed by undoing it. */
  pageIds: string[];
  /** Parents before children. */
  folderIds: string[];
}

const imports: CollectionSpec<ImportDoc> = {
  name: "imports",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "createdAt"] }],
};

const LIST_LIMIT = 30;
/**
 * Longer than the archive reader's timeout (30 minutes): an import that is `running` for longer ended with its process.
 */
const IMPORT_TIMEOUT_MS = 40 * 60_000;

export const saveImport = (own: Own, doc: Omit<ImportDoc, "ownerId">) => own.in(imports).insert(doc);

export const changeImport = (own: Own, id: string, set: Partial<Omit<ImportDoc, "_id" | "ownerId">>) =>
  own.in(imports).patch({ _id: id }, { set });

export const findImport = (own: Own, id: string) => own.in(imports).get(id);

export async function listImportDocs(own: Own, now: number): Promise<ImportDoc[]> {
  const found = await own.in(imports).find({}, { order: [["createdAt", "desc"]], limit: LIST_LIMIT });
  return found.map((doc) =>
    doc.state === "running" && now - doc.createdAt > IMPORT_TIMEOUT_MS ? { ...doc, state: "stopped" } : doc,
  );
}

/** Unfinished imports of an archive with the same name that were not undone. */
export async function listUnfinishedImports(
  own: Own,
  { _id, name }: Pick<ImportDoc, "_id" | "name">,
  now: number,
): Promise<ImportDoc[]> {
  const found = await listImportDocs(own, now);
  return found.filter((doc) => doc._id !== _id && doc.name === name && doc.state !== "done" && doc.removedAt === null);
}

/** The import's pages, without those that a later import has taken over or restored. */
export async function listUndoablePages(own: Own, { createdAt, pageIds }: ImportDoc): Promise<string[]> {
  const later = await own.in(imports).find({ createdAt: { gt: createdAt }, removedAt: null }, { fields: ["pageIds"] });
  const takenOverIds = new Set(later.flatMap((doc) => doc.pageIds));
  return pageIds.filter((id) => !takenOverIds.has(id));
}

export const removeImport = (own: Own, id: string) => own.in(imports).remove({ _id: id });

export const presentImport = (doc: Omit<ImportDoc, "ownerId">): NotesImport => NotesImport.parse(doc);

/** Merges lists of losses: adds up the counts of each kind, and lists a few examples. */
export function mergeLosses(...lists: readonly (readonly NotesImportLoss[])[]): NotesImportLoss[] {
  const byWhat = new Map<NotesImportLoss["what"], NotesImportLoss>();
  for (const { what, count, examples } of lists.flat()) {
    const existing = byWhat.get(what);
    const names = [...new Set([...(existing?.examples ?? []), ...examples])].slice(0, MAX_EXAMPLES);
    byWhat.set(what, { what, count: count + (existing?.count ?? 0), examples: names });
  }
  return [...byWhat.values()];
}
