import { interpolate } from "#shared/messages/interpolate.ts";
import { HelpSearch } from "#shared/ui/content/help-search.tsx";
import { readServer } from "#extension/app/settings-store.ts";
import { openTab } from "#extension/platform/pages.ts";
import { uiLanguage } from "#extension/words/ui-language.ts";
import { words } from "#extension/words/words.ts";

const findIndex = async () => `${await readServer()}/help/search.json?lang=${uiLanguage}`;

async function openArticle(path: string): Promise<void> {
  const address = new URL((await readServer()) + path);
  // Before a heading that the path may name.
  address.searchParams.set("lang", uiLanguage);
  await openTab(address.href);
}

const formatFoundCount = (count: number) =>
  interpolate(count === 1 ? words.help_found_one : words.help_found_many, { count });

/** The help of the connected server; an article opens in a tab. */
export function HelpPanel() {
  return (
    <HelpSearch
      findIndex={findIndex}
      words={{ label: words.help_search, failed: words.help_failed, found: formatFoundCount }}
      onOpen={(path) => void openArticle(path)}
    />
  );
}
