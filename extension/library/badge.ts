import { fill } from "#shared/messages/fill.ts";
import { listen } from "#extension/app/channel.ts";
import { words } from "#extension/words/words.ts";
import { onTabShown, setSign, type ShownTab, tabsInFront } from "#extension/platform/tabs.ts";
import { type Here, lookUp, sayDue, sayWhat } from "./here.ts";

const MOST = 99;

/** Toolbar badge of a page: the number of due cards, a dot if the page is in the library, otherwise nothing. */
export function signOf(here: Here | undefined): { text: string; title: string } {
  const what = here ? sayWhat(here) : "";
  if (!here || what === "") return { text: "", title: words.here_badge_plain };
  const said = here.due > 0 ? `${what}; ${sayDue(here.due)}` : what;
  const text = here.due > MOST ? `${MOST}+` : here.due > 0 ? String(here.due) : "•";
  return { text, title: fill(words.here_badge, { what: said }) };
}

/** Updates the badge of a tab whose address is known. */
export const writeSign = async ({ id, url }: ShownTab): Promise<void> => {
  // Without permission for the tab's address nothing is looked up.
  if (url !== undefined) await setSign(id, signOf(await lookUp(url)));
};

/** Updates the badge of active tabs, also when the library list changes. */
export function keepBadge(): void {
  onTabShown(writeSign);
  listen("library", () => void tabsInFront().then((tabs) => Promise.all(tabs.map(writeSign))));
}
