import { Failure } from "#shared/contract/failure.ts";
import type { library } from "#shared/library/contract.ts";
import type { Favorite } from "#shared/library/schema.ts";
import type { Handlers } from "#api/http/handler.ts";
import { listOverview } from "#api/pages/overview.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import { type FavoriteDoc, listFavorites, saveFavorite } from "./store.ts";

type ListEpisodes = (own: Own) => Promise<readonly { _id: string; title: string }[]>;

/** Pins with their titles; `listEpisodes` is passed in because podcasts use this feature. */
export const createFavoriteHandlers = (
  listEpisodes: ListEpisodes,
): Pick<Handlers<typeof library>, "getFavorites" | "addFavorite"> => ({
  async getFavorites({ own }) {
    const [pins, titles] = await Promise.all([listFavorites(own), readTitles(own, listEpisodes)]);
    return { favorites: pins.flatMap((pin) => presentFavorite(pin, titles) ?? []) };
  },

  async addFavorite({ own, clock }, { itemId, itemType }) {
    const titles = await readTitles(own, listEpisodes);
    const now = clock.now();
    // New pins go last: `now` exceeds any index that sorting assigns.
    const pin = { itemId, itemType, createdAt: now, sortIndex: now };
    if (!presentFavorite({ _id: "", ownerId: own.ownerId, ...pin }, titles))
      throw new Failure("not_found", "nothing_to_pin");
    const favorite = presentFavorite(await saveFavorite(own, pin), titles);
    if (!favorite) throw new Failure("not_found", "nothing_to_pin");
    await publishChanges(own, [{ kind: "favorites", ids: [itemId] }]);
    return { favorite };
  },
});

/** Titles of what can be pinned. */
async function readTitles(own: Own, listEpisodes: ListEpisodes) {
  const [{ pages, components }, episodes] = await Promise.all([listOverview(own), listEpisodes(own)]);
  return {
    pages: new Map(pages.filter((page) => !page.archived).map((page) => [page._id, page])),
    components: new Map(
      components.filter((component) => !component.isArchived).map((component) => [component._id, component]),
    ),
    episodes: new Map(episodes.map(({ _id, title }) => [_id, title])),
  };
}

/** A pin with the current title of its item; undefined if the item no longer exists. */
function presentFavorite(pin: FavoriteDoc, titles: Awaited<ReturnType<typeof readTitles>>): Favorite | undefined {
  const { _id, ownerId, itemId, itemType, createdAt, sortIndex } = pin;
  const base = { _id, userId: ownerId, itemId, itemType, createdAt, sortIndex };
  if (itemType === "page") {
    const page = titles.pages.get(itemId);
    return page && { ...base, data: { title: page.title, emoji: page.emoji } };
  }
  const episode = titles.episodes.get(itemId);
  if (episode !== undefined) return { ...base, data: { componentType: "podcast", title: episode } };
  const component = titles.components.get(itemId);
  if (!component) return undefined;
  const { type, title, pageId } = component;
  const data = { componentType: type, pageId, ...(type === "image" ? { name: title } : { title }) };
  return { ...base, data };
}
