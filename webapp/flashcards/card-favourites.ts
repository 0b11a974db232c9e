import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

const none: ReadonlySet<string> = new Set<string>();
/** Starred card ids by deck. */
const favouritesByDeckAtom = accountAtom<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

export const favouritesOfDeck = (componentId: string) =>
  atom((get) => get(favouritesByDeckAtom).get(componentId) ?? none);

export const readCardFavourites = (componentId: string): ReadonlySet<string> =>
  store.get(favouritesByDeckAtom).get(componentId) ?? none;

export function setCardFavourites(componentId: string, cardIds: ReadonlySet<string>): void {
  store.set(favouritesByDeckAtom, new Map(store.get(favouritesByDeckAtom)).set(componentId, cardIds));
}

/** The starred cards of a deck, as stored on the server. */
export async function fetchCardFavourites(componentId: string): Promise<string[]> {
  const { favorites } = await client.flashcards.listCardFavourites({ componentId });
  return favorites.map(({ cardId }) => cardId);
}

export const loadCardFavourites = (componentId: string): Promise<void> =>
  loadForAccount(
    () => fetchCardFavourites(componentId),
    (cardIds) => setCardFavourites(componentId, new Set(cardIds)),
    (error) => logWarning("Failed to load starred cards", error),
  );

/** The server's limit per call. */
const MAX_REQUESTS = 2000;

/**
 * Stars or unstars cards optimistically, and reverts this if the server refuses. `ready` is awaited before the call.
 */
export async function toggleCardFavourites(
  { pageId, componentId }: { pageId: string; componentId: string },
  ids: ReadonlySet<string>,
  ready: () => Promise<void> = async () => {},
): Promise<void> {
  const before = readCardFavourites(componentId);
  const action = [...ids].every((id) => before.has(id)) ? "remove" : "add";
  const star = (cardIds: readonly string[], isStarred: boolean) => {
    const next = new Set(readCardFavourites(componentId));
    for (const id of cardIds)
      if (isStarred) next.add(id);
      else next.delete(id);
    setCardFavourites(componentId, next);
  };
  star([...ids], action === "add");
  const requests = [...ids].map((cardId) => ({ cardId, action }) as const);
  try {
    await ready();
    for (let offset = 0; offset < requests.length; offset += MAX_REQUESTS)
      await client.flashcards.changeCardFavourites({
        pageId,
        componentId,
        requests: requests.slice(offset, offset + MAX_REQUESTS),
      });
  } catch (error) {
    logWarning("Failed to star cards", error);
    // Only these cards, because others may have been starred in the meantime.
    const changed = [...ids].filter((id) => before.has(id) === (action === "remove"));
    star(changed, action === "remove");
    notify({ message: t("flashcards.favourite_failed"), type: "error" });
  }
}
