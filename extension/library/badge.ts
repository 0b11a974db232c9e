import { interpolate } from "#shared/messages/interpolate.ts";
import { listen } from "#extension/app/channel.ts";
import { words } from "#extension/words/words.ts";
import { onTabShown, setToolbarBadge, type ShownTab, listActiveTabs } from "#extension/platform/tabs.ts";
import { type LibraryPage, findLibraryPage, formatDueCount, formatContents } from "./library-page.ts";

const MAX_SHOWN_COUNT = 99;

/** Toolbar badge of a page: the number of due cards, a dot if the page is in the library, otherwise nothing. */
export function badgeFor(page: LibraryPage | undefined): { text: string; title: string } {
  const contents = page ? formatContents(page) : "";
  if (!page || contents === "") return { text: "", title: words.here_badge_plain };
  const description = page.due > 0 ? `${contents}; ${formatDueCount(page.due)}` : contents;
  const text = page.due > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : page.due > 0 ? String(page.due) : "•";
  return { text, title: interpolate(words.here_badge, { what: description }) };
}

/** Updates the badge of a tab whose address is known. */
export const updateBadge = async ({ id, url }: ShownTab): Promise<void> => {
  // Without permission for the tab's address nothing is looked up.
  if (url !== undefined) await setToolbarBadge(id, badgeFor(await findLibraryPage(url)));
};

/** Updates the badge of active tabs, also when the library list changes. */
export function startBadgeUpdates(): void {
  onTabShown(updateBadge);
  listen("library", () => void listActiveTabs().then((tabs) => Promise.all(tabs.map(updateBadge))));
}
