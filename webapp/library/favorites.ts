import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import type { Favorite } from "#shared/library/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { keepAsItIs, keptLists, recalled } from "#webapp/offline/keep-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

const heldAtom = accountAtom<readonly Favorite[]>([]);
/** Fetched once per session; reset together with the pins on sign-out. */
const isFetchedAtom = accountAtom(false);

/** Pinned items in the student's order. */
export const favoritesAtom = atom((get) => get(heldAtom));

export async function loadFavorites(): Promise<void> {
  if (store.get(isFetchedAtom)) return;
  store.set(isFetchedAtom, true);
  const accountId = store.get(accountIdAtom);
  try {
    store.set(heldAtom, (await client.library.getFavorites({})).favorites);
  } catch (error) {
    store.set(isFetchedAtom, false);
    logTrouble("Failed to load pins", error);
    const kept = await recalled(accountId, error, async (id) => (await keptLists()).findKeptList(id, "pins"));
    if (kept && store.get(accountIdAtom) === accountId && !store.get(isFetchedAtom)) store.set(heldAtom, kept);
  }
}

keepAsItIs("pins", heldAtom, (pins) => (store.get(isFetchedAtom) ? pins : undefined));

/** Refetches pins that were changed in another tab or on another device. */
export async function reloadFavorites(): Promise<void> {
  store.set(isFetchedAtom, false);
  await loadFavorites();
}

const isPinned = (itemId: string) => store.get(heldAtom).some((held) => held.itemId === itemId);

export type Pinned = Pick<Favorite, "itemId" | "itemType" | "data">;

/** Pins optimistically and reverts if the server refuses; does nothing if already pinned. */
export async function pin({ itemId, itemType, data }: Pinned): Promise<void> {
  if (isPinned(itemId)) return logTrouble("Already pinned", itemId);
  const now = Date.now();
  const userId = store.get(accountIdAtom) ?? "";
  store.set(heldAtom, (held) => [
    ...held,
    { _id: `new-${itemId}`, userId, itemId, itemType, data, createdAt: now, sortIndex: now },
  ]);
  try {
    const { favorite } = await client.library.addFavorite({ itemId, itemType });
    store.set(heldAtom, (held) => held.map((one) => (one.itemId === itemId ? favorite : one)));
  } catch (error) {
    logTrouble("Failed to pin", error);
    store.set(heldAtom, (held) => held.filter((one) => one.itemId !== itemId));
    notify({ message: t("library.pin_failed"), type: "error" });
  }
}

export async function unpin(itemId: string): Promise<void> {
  if (!isPinned(itemId)) return logTrouble("Not pinned", itemId);
  const before = store.get(heldAtom);
  store.set(heldAtom, (held) => held.filter((one) => one.itemId !== itemId));
  try {
    await client.library.removeFavorite({ itemId });
  } catch (error) {
    logTrouble("Failed to remove a pin", error);
    store.set(heldAtom, before);
    notify({ message: t("library.unpin_failed"), type: "error" });
  }
}

/** Moves a pin up or down by one. */
export async function movePin(itemId: string, by: -1 | 1): Promise<void> {
  const before = store.get(heldAtom);
  const from = before.findIndex((one) => one.itemId === itemId);
  const moved = before[from];
  const to = from + by;
  if (!moved || to < 0 || to >= before.length) return;
  const after = before.toSpliced(from, 1).toSpliced(to, 0, moved);
  store.set(heldAtom, after);
  try {
    await client.library.sortFavorites({ itemIds: after.map((one) => one.itemId) });
  } catch (error) {
    logTrouble("Failed to sort pins", error);
    store.set(heldAtom, before);
    notify({ message: t("failures.other"), type: "error" });
  }
}

/** Removes the pins of deleted items. */
export function forgetPins(itemIds: readonly string[]): void {
  const gone = new Set(itemIds);
  store.set(heldAtom, (held) => held.filter((one) => !gone.has(one.itemId)));
}
