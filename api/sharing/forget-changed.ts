import type { Deps } from "#api/http/handler.ts";
import { onContentChange } from "#api/store/account-changes.ts";
import { forgetExcerpts } from "./excerpt.ts";
import { forgetSharedParts } from "./shared-part.ts";

/** Removes what this process caches of an account's shares when its pages, decks or files change, so that what was deleted leaves memory. */
export const startForgettingShares = ({ store }: Pick<Deps, "store">) =>
  onContentChange(store, (ownerId) => {
    forgetExcerpts(ownerId);
    forgetSharedParts(ownerId);
  });
