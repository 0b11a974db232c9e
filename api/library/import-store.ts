import type { NotesImportLoss, NotesImport } from "#shared/library/import-schema.ts";
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
/** The timeout of the archive reader. An import that is `running` for longer ended with its process. */
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

/** Interrupted imports of the same archive that were not undone. */
export async function listInterruptedImports(
  own: Own,
  { _id, name }: Pick<ImportDoc, "_id" | "name">,
): Promise<ImportDoc[]> {
  const found = await own.in(imports).find({}, { order: [["createdAt", "desc"]], limit: LIST_LIMIT });
  return found.filter((doc) => doc._id !== _id && doc.name === name && doc.state !== "done" && doc.removedAt === null);
}

export const removeImport = (own: Own, id: string) => own.in(imports).remove({ _id: id });

export function presentImport(doc: Omit<ImportDoc, "ownerId">): NotesImport {
  const { _id, name, kind, state, createdAt, folderId, pages, known, folders, files, decks, links, losses, removedAt } =
    doc;
  return { _id, name, kind, state, createdAt, folderId, pages, known, folders, files, decks, links, losses, removedAt };
}

/** Merges lists of losses: adds up the counts of each kind, and lists up to five examples. */
export function mergeLosses(...lists: readonly (readonly NotesImportLoss[])[]): NotesImportLoss[] {
  const lossByKind = new Map<NotesImportLoss["what"], NotesImportLoss>();
  for (const { what, count, examples } of lists.flat()) {
    const existing = lossByKind.get(what);
    const names = [...new Set([...(existing?.examples ?? []), ...examples])].slice(0, 5);
    lossByKind.set(what, { what, count: count + (existing?.count ?? 0), examples: names });
  }
  return [...lossByKind.values()];
}
