import { Failure } from "#shared/contract/failure.ts";
import { mayHold, mergeItems } from "#shared/library/rules.ts";
import type { FolderItem } from "#shared/library/schema.ts";
import type { Applier, Appliers } from "#api/kit/applier.ts";
import { changeOnce, type Change } from "#api/kit/change-once.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { foldersOf, listFolders, removeFavorite, type FolderDoc } from "./store.ts";

async function changeFolder(own: Own, id: string, requestId: string, change: (doc: FolderDoc) => Change<FolderDoc>) {
  if (!(await foldersOf(own).get(id))) throw new Failure("not_found", "There is no such folder.");
  return changeOnce(foldersOf(own), { id, requestId, change });
}

async function checkNesting(own: Own, folderId: string, sent: readonly FolderItem[]): Promise<void> {
  if (!sent.some(({ item_type: type }) => type === "folder")) return;
  const all = new Map((await listFolders(own)).map((folder) => [folder._id, folder]));
  if (!mayHold(folderId, sent, all)) throw new Failure("bad_input", "A folder cannot lie inside itself.");
}

const updateFolder: Applier<"folder_update"> = async ({ own, clock }, { id, resourceId, data }) => {
  const now = clock.now();
  const { items = [], removedItemIds = [], is_archived: isArchived, archived_at: _theirClock, ...fields } = data;
  await checkNesting(own, resourceId, items);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  await changeFolder(own, resourceId, id, (held) => {
    const archived =
      isArchived === undefined || isArchived === held.is_archived
        ? {}
        : { is_archived: isArchived, archived_at: isArchived ? now : null };
    return { set: { ...given, ...archived, items: mergeItems(held.items, items, removedItemIds), updated_at: now } };
  });
  if (isArchived === true) await leaveLists(own, resourceId, id);
  return {};
};

export const appliers: Appliers<"folder_create" | "folder_update" | "folder_delete"> = {
  async folder_create({ own, clock }, { id, resourceId, data }) {
    const fresh = {
      _id: resourceId,
      title: data.title,
      color: data.color,
      created_at: data.createdAt,
      updated_at: clock.now(),
      items: [],
      is_archived: false,
      archived_at: null,
      is_expanded: true,
      deletedAt: null,
      namedAt: null,
      rev: 1,
      applied: [{ id }],
    };
    if ((await foldersOf(own).insert(fresh)) === "duplicate")
      await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: null } }));
    return {};
  },
  folder_update: updateFolder,
  async folder_delete({ own, clock }, { id, resourceId }) {
    await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: clock.now() } }));
    await leaveLists(own, resourceId, id);
    return {};
  },
};

/** What is archived or deleted leaves the folders it was in, and the pins. */
export async function leaveLists(own: Own, itemId: string, requestId: string): Promise<void> {
  await removeFavorite(own, itemId);
  const holding = (await foldersOf(own).find({})).filter(({ items }) => items.some((i) => i.item_id === itemId));
  for (const { _id } of holding)
    await changeFolder(own, _id, requestId, ({ items }) => ({
      set: { items: items.filter((i) => i.item_id !== itemId) },
    }));
}
