import { screenPath } from "#shared/screens.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { hasInAppHistory } from "#webapp/library/citation-navigation.ts";

/** Goes back to where the document was opened from, or to its page if it was opened by URL. */
export function closeDocument(pageId: string): void {
  if (hasInAppHistory()) history.back();
  else goTo(pageId === "" ? screenPath("home", {}) : screenPath("page", { id: pageId }));
}
