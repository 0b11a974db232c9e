import type { Deps } from "#api/http/handler.ts";
import { onContentChange } from "#api/store/account-changes.ts";
import { forgetExcerpts } from "./excerpt.ts";
import { forgetSharedParts } from "./shared-part.ts";

/** Removes what is cached of an account's shares when its content changes: what was deleted leaves memory at once. */
export const startForgettingShares = ({ store }: Pick<Deps, "store">) =>
  onContentChange(store, (ownerId) => {
    forgetExcerpts(ownerId);
    forgetSharedParts(ownerId);
  });
