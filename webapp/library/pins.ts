import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import type { Favorite } from "#shared/library/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, watchSession } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { cacheOnChange, loadListCache, readCachedIfOffline } from "#webapp/offline/cache-lists.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

const fetchedPinsAtom = accountAtom<readonly Favorite[]>([]);
/** Whether the pins were fetched in this session. Reset together with the pins on sign-out. */
const isFetchedAtom = accountAtom(false);
/** Whether there are pins of the server or the cache to show. */
const isShownAtom = accountAtom(false);

/** Pinned items in the student's order. */
export const pinsAtom = atom((get) => get(fetchedPinsAtom));

function showPins(pins: readonly Favorite[]): void {
  store.set(fetchedPinsAtom, pins);
  store.set(isShownAtom, true);
}

export async function loadPins(): Promise<void> {
  if (store.get(isFetchedAtom)) return;
  store.set(isFetchedAtom, true);
  const accountId = store.get(accountIdAtom);
  await loadForAccount(
    () => client.library.getFavorites({}),
    ({ favorites }) => showPins(favorites),
    async (error, isCurrent) => {
      store.set(isFetchedAtom, false);
      logWarning("Failed to load pins", error);
      // The shown pins are as new as the cache, or newer.
      if (store.get(isShownAtom)) return;
      const cached = await readCachedIfOffline(accountId, error, async (id) =>
        (await loadListCache()).findCachedList(id, "pins"),
      );
      if (cached && isCurrent() && !store.get(isFetchedAtom)) showPins(cached);
    },
  );
}

cacheOnChange("pins", fetchedPinsAtom, (pins) => (store.get(isFetchedAtom) ? pins : undefined));

/** Refetches pins that were changed in another tab or on another device. */
export async function reloadPins(): Promise<void> {
  store.set(isFetchedAtom, false);
  await loadPins();
}

const isPinned = (itemId: string) => store.get(fetchedPinsAtom).some((entry) => entry.itemId === itemId);

export type PinInput = Pick<Favorite, "itemId" | "itemType" | "data">;

/** Pins an item optimistically and reverts this if the server refuses. Does nothing if the item is already pinned. */
export async function pin({ itemId, itemType, data }: PinInput): Promise<void> {
  if (isPinned(itemId)) return logWarning("Already pinned", itemId);
  const now = Date.now();
  const userId = store.get(accountIdAtom) ?? "";
  const isCurrent = watchSession();
  store.set(fetchedPinsAtom, (pins) => [
    ...pins,
    { _id: `new-${itemId}`, userId, itemId, itemType, data, createdAt: now, sortIndex: now },
  ]);
  try {
    const { favorite } = await client.library.addFavorite({ itemId, itemType });
    if (!isCurrent()) return;
    store.set(fetchedPinsAtom, (pins) => pins.map((entry) => (entry.itemId === itemId ? favorite : entry)));
  } catch (error) {
    logWarning("Failed to pin", error);
    if (!isCurrent()) return;
    store.set(fetchedPinsAtom, (pins) => pins.filter((entry) => entry.itemId !== itemId));
    notify({ message: t("library.pin_failed"), type: "error" });
  }
}

export async function unpin(itemId: string): Promise<void> {
  if (!isPinned(itemId)) return logWarning("Not pinned", itemId);
  const isCurrent = watchSession();
  const before = store.get(fetchedPinsAtom);
  store.set(fetchedPinsAtom, (pins) => pins.filter((entry) => entry.itemId !== itemId));
  try {
    await client.library.removeFavorite({ itemId });
  } catch (error) {
    logWarning("Failed to remove a pin", error);
    if (!isCurrent()) return;
    store.set(fetchedPinsAtom, before);
    notify({ message: t("library.unpin_failed"), type: "error" });
  }
}

/** Moves a pin up or down by one position. */
export async function movePin(itemId: string, offset: -1 | 1): Promise<void> {
  const before = store.get(fetchedPinsAtom);
  const from = before.findIndex((entry) => entry.itemId === itemId);
  const moved = before[from];
  const to = from + offset;
  if (!moved || to < 0 || to >= before.length) return;
  const after = before.toSpliced(from, 1).toSpliced(to, 0, moved);
  const isCurrent = watchSession();
  store.set(fetchedPinsAtom, after);
  try {
    await client.library.sortFavorites({ itemIds: after.map((entry) => entry.itemId) });
  } catch (error) {
    logWarning("Failed to sort pins", error);
    if (!isCurrent()) return;
    store.set(fetchedPinsAtom, before);
    notify({ message: t("failures.other"), type: "error" });
  }
}

/** Removes the pins of deleted items. */
export function removePins(itemIds: readonly string[]): void {
  const removedIds = new Set(itemIds);
  store.set(fetchedPinsAtom, (pins) => pins.filter((entry) => !removedIds.has(entry.itemId)));
}
