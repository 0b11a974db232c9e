import { screenPath } from "#shared/screens.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { cameFromWithin } from "#webapp/library/citation-door.ts";

/** Back to where the student was: the card, the answer; or the page the document stands on, where it was opened by address. */
export function leaveDocument(pageId: string): void {
  if (cameFromWithin()) history.back();
  else goTo(pageId === "" ? screenPath("home", {}) : screenPath("page", { id: pageId }));
}
