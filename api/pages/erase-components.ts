import { retentionMs } from "#shared/retention.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { allComponents, componentsOf, findPage, historyOf, allPages, pagesOf } from "./store.ts";

/** How long deleted items can be restored. */
export const DELETED_RETENTION_MS = retentionMs("deletedItems");
/** Items of each kind per sweep; the next sweep erases further items. */
const SWEEP_LIMIT = 500;

/** A deleted component that is to be erased. */
export interface ComponentToErase {
  own: Own;
  id: string;
  fileId: string | null;
}

const fields = ["_id", "ownerId", "fileId"] as const;

/** Components that were deleted before a time, individually or with their page. */
export async function listComponentsToErase(store: DocumentStore, before: number): Promise<ComponentToErase[]> {
  const deletedBefore = { deletedAt: { lt: before } };
  const [components, pages] = await Promise.all([
    allComponents(store).find(deletedBefore, { fields, limit: SWEEP_LIMIT }),
    allPages(store).find(deletedBefore, { fields: ["_id", "ownerId"], limit: SWEEP_LIMIT }),
  ]);
  const onPages = await Promise.all(
    pages.map(({ _id, ownerId }) => componentsOf(ownedBy(store, ownerId)).find({ pageId: _id }, { fields })),
  );
  const all = new Map([...components, ...onPages.flat()].map((doc) => [doc._id, doc]));
  return [...all.values()].map(({ _id, ownerId, fileId }) => ({ own: ownedBy(store, ownerId), id: _id, fileId }));
}

/** The account's files that were deleted individually or with their page; deleted texts and decks stay restorable. */
export async function listDeletedFiles(own: Own): Promise<ComponentToErase[]> {
  const hasFile = { fileId: { not: null } };
  const pages = await pagesOf(own).find({ deletedAt: { not: null } }, { fields: ["_id"] });
  const components = await componentsOf(own).find({ deletedAt: { not: null }, ...hasFile }, { fields });
  const onPages = await Promise.all(
    pages.map(({ _id }) => componentsOf(own).find({ pageId: _id, ...hasFile }, { fields })),
  );
  const all = new Map([...components, ...onPages.flat()].map((doc) => [doc._id, doc]));
  return [...all.values()].map(({ _id, fileId }) => ({ own, id: _id, fileId }));
}

/** Whether a listed component is still deleted, individually or with its page; the student may have restored it. */
export async function isStillDeleted({ own, id }: ComponentToErase): Promise<boolean> {
  const [component] = await componentsOf(own).find({ _id: id }, { fields: ["pageId", "deletedAt"] });
  return component?.deletedAt !== null || (await findPage(own, component.pageId)) === undefined;
}

/** Whether any other visible or restorable component than `exceptBy` refers to the file. */
export const isFileReferenced = async (own: Own, { fileId, exceptBy }: { fileId: string; exceptBy: string }) =>
  (await componentsOf(own).count({ fileId, _id: { not: exceptBy } })) > 0;

/** Removes a component and its history. */
export async function eraseComponent({ own, id }: ComponentToErase): Promise<void> {
  await historyOf(own).remove({ componentId: id });
  await componentsOf(own).remove({ _id: id });
}

/** Removes empty pages whose retention is over. */
export async function eraseEmptyPages(store: DocumentStore, before: number): Promise<void> {
  const pages = await allPages(store).find(
    { deletedAt: { lt: before } },
    { fields: ["_id", "ownerId"], limit: SWEEP_LIMIT },
  );
  for (const { _id, ownerId } of pages) {
    const own = ownedBy(store, ownerId);
    if ((await componentsOf(own).count({ pageId: _id })) === 0) await pagesOf(own).remove({ _id });
  }
}
