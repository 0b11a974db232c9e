import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { archivePage, restorePage } from "./content.ts";
import { forgetPins } from "./favorites.ts";
import { archiveFolder, changeFolder, restoreFolder } from "./folders.ts";
import { listKeptPages } from "#shared/sync/local-store.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import type { Item } from "./items.ts";

const said = {
  deck: { gone: "library.flashcards_deleted", back: "library.flashcards_restored" },
  pdf: { gone: "library.pdf_deleted", back: "library.pdf_restored" },
  video: { gone: "library.video_deleted", back: "library.video_restored" },
  image: { gone: "library.image_deleted", back: "library.image_restored" },
} as const;
type PartKind = keyof typeof said;

/** A complete component, from the cached pages or from the server. */
async function wholeComponent(id: string): Promise<Component> {
  const kept = await listKeptPages(store.get(accountIdAtom) ?? "");
  const held = kept.flatMap(({ components }) => components).find(({ _id }) => _id === id);
  return held ?? (await client.pages.getComponent({ id })).component;
}

/** Sends the base version; without it the change would count as a conflict. */
async function markArchived({ _id, content, version }: Component, isArchived: boolean): Promise<void> {
  const newContent = { ...content, isArchived, archivedAt: isArchived ? Date.now() : null };
  await queue().enqueue("component_content_update", _id, { newContent }, { baseVersion: version });
}

/** Archives a file, or removes a deck from its page. Returns the undo function. */
async function removePart(id: string, kind: PartKind): Promise<() => Promise<void>> {
  const component = await wholeComponent(id);
  if (kind === "deck") {
    await queue().enqueue("component_delete", id, { pageId: component.pageId });
    return async () => {
      await queue().enqueue("component_create", id, { component, parentId: component.pageId });
    };
  }
  await markArchived(component, true);
  return () => restorePart(id);
}

const restorePart = async (id: string): Promise<void> => markArchived(await wholeComponent(id), false);

/** Deletes an item, with a notice that offers undo. */
export async function removeItem({ id, kind }: Item): Promise<void> {
  forgetPins([id]);
  if (kind === "page") return archivePage(id);
  if (kind === "folder") return archiveFolder(id);
  try {
    const undo = await removePart(id, kind);
    const takeBack = async () => {
      await undo();
      notify({ message: t(said[kind].back), type: "success" });
    };
    notify({
      message: t(said[kind].gone),
      type: "success",
      action: { label: t("common.undo"), run: () => void takeBack() },
    });
  } catch (error) {
    logTrouble("Could not delete a component", error);
    notify({ message: t("library.delete_failed"), type: "error" });
  }
}

export async function restoreItem({ id, kind }: Item): Promise<void> {
  if (kind === "page") return restorePage(id);
  if (kind === "folder") return restoreFolder(id);
  await restorePart(id);
  notify({ message: t(said[kind].back), type: "success" });
}

/** Deletes several items, with one notice that undoes all of them. */
export async function removeItems(items: readonly Item[]): Promise<void> {
  const undos: (() => Promise<unknown>)[] = [];
  forgetPins(items.map(({ id }) => id));
  try {
    for (const { id, kind } of items)
      if (kind === "page") {
        await queue().enqueue("page_update", id, { archived: true });
        undos.push(() => queue().enqueue("page_update", id, { archived: false }));
      } else if (kind === "folder") {
        await changeFolder(id, { is_archived: true });
        undos.push(() => changeFolder(id, { is_archived: false }));
      } else undos.push(await removePart(id, kind));
  } catch (error) {
    logTrouble("Could not delete a component", error);
    notify({ message: t("library.delete_failed"), type: "error" });
  }
  if (undos.length === 0) return;
  const takeBack = async () => {
    for (const undo of undos) await undo();
  };
  notify({
    message: t("library.items_deleted", { count: undos.length }),
    type: "success",
    action: { label: t("common.undo"), run: () => void takeBack() },
  });
}
