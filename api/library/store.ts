import { Failure } from "#shared/contract/failure.ts";
import type { Folder } from "#shared/library/schema.ts";
import type { FavoriteItemType } from "#shared/library/schema.ts";
import { changeOnce, type DocumentChange, type Versioned } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

export interface FolderDoc extends Versioned, Omit<Folder, "_id" | "user_id"> {
  deletedAt: number | null;
  /** When a title was proposed; done once unless requested again. */
  namedAt: number | null;
}

export interface FavoriteDoc extends OwnedDoc {
  itemId: string;
  itemType: FavoriteItemType;
  createdAt: number;
  sortIndex: number;
}

const folders: CollectionSpec<FolderDoc> = {
  name: "folders",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId"] }, { fields: ["deletedAt"] }, { fields: ["is_archived", "archived_at"] }],
};
const favorites: CollectionSpec<FavoriteDoc> = {
  name: "favorites",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "sortIndex"] }],
};

export const foldersOf = (own: Own) => own.in(folders);

export const listFolders = (own: Own): Promise<FolderDoc[]> =>
  foldersOf(own).find(
    { deletedAt: null },
    {
      order: [
        ["created_at", "asc"],
        ["_id", "asc"],
      ],
    },
  );

export async function findFolder(own: Own, id: string): Promise<FolderDoc | undefined> {
  const folder = await foldersOf(own).get(id);
  return folder?.deletedAt === null ? folder : undefined;
}

/**
 * Erases folders that were deleted before a time, which the app does by archiving them. Their items do not belong to
 * them, and stay.
 */
export async function eraseFolders(store: DocumentStore, before: number): Promise<void> {
  await store.collection(folders).remove({ deletedAt: { lt: before } });
  await store.collection(folders).remove({ is_archived: true, archived_at: { lt: before } });
}

export const saveProposedTitle = (own: Own, id: string, title: string, now: number) =>
  foldersOf(own).patch({ _id: id }, { set: { title, namedAt: now, updated_at: now } });

export const listFavorites = (own: Own): Promise<FavoriteDoc[]> =>
  own.in(favorites).find(
    {},
    {
      order: [
        ["sortIndex", "asc"],
        ["_id", "asc"],
      ],
    },
  );

const favoriteId = (own: Own, itemId: string) => `${own.ownerId}.${itemId}`;

/** Leaves an existing pin unchanged. */
export async function saveFavorite(own: Own, pin: Omit<FavoriteDoc, "_id" | "ownerId">): Promise<FavoriteDoc> {
  const _id = favoriteId(own, pin.itemId);
  const isNew = (await own.in(favorites).insert({ _id, ...pin })) === "inserted";
  const existing = isNew ? undefined : await own.in(favorites).get(_id);
  return existing ?? { _id, ownerId: own.ownerId, ...pin };
}

export const removeFavorite = (own: Own, itemId: string) => own.in(favorites).remove({ _id: favoriteId(own, itemId) });

export const moveFavorite = (own: Own, itemId: string, sortIndex: number) =>
  own.in(favorites).patch({ _id: favoriteId(own, itemId) }, { set: { sortIndex } });

/** Changes a folder once for each request; refuses a folder that does not exist. */
export async function changeFolder(
  own: Own,
  id: string,
  requestId: string,
  change: (doc: FolderDoc) => DocumentChange<FolderDoc>,
) {
  if (!(await foldersOf(own).get(id))) throw new Failure("not_found", "no_folder");
  return changeOnce(foldersOf(own), { id, requestId, change });
}
