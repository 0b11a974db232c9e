import type { Deps } from "#api/http/handler.ts";
import { onContentChange } from "#api/store/account-changes.ts";
import { clearExcerpts } from "./excerpt.ts";
import { clearSharedParts } from "./shared-part.ts";

/**
 * Clears the cached shares of an account when its pages, decks or files change, so that deleted content leaves the
 * memory of this process.
 */
export const clearShareCachesOnChange = ({ store }: Pick<Deps, "store">) =>
  onContentChange(store, (ownerId) => {
    clearExcerpts(ownerId);
    clearSharedParts(ownerId);
  });
