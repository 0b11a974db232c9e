import { listen, notify } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { client } from "#extension/app/client.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { addCaptures, readListPosition, setDecks, setExistingPages } from "./store.ts";

/** The server's clock may be set back slightly, so the end of its list is read again. */
const OVERLAP_POSITIONS = 10_000_000;
const REFRESH_INTERVAL_MS = 300_000;

/** Reads the captures added since the last refresh, for the whole account: no address of a tab is sent to the server. */
async function refreshCaptures(accountId: string): Promise<void> {
  const position = await readListPosition(accountId);
  let after: number | null = Math.max(0, position.upTo - OVERLAP_POSITIONS);
  while (after !== null) {
    const { captures, next, upTo } = await client.capture.listCaptures({ after });
    await addCaptures(accountId, captures, { upTo: Math.max(position.upTo, upTo), readAt: Date.now() });
    after = next;
  }
}

async function refreshPagesAndDecks(accountId: string): Promise<void> {
  const [{ content }, { decks }] = await Promise.all([client.pages.getContent({}), client.study.getDue({})]);
  await setExistingPages(accountId, new Set(content.pages.map(({ _id }) => _id)));
  const deckCounts = decks.map(({ componentId, pageId, title, due, fresh, total }) => {
    return { accountId, componentId, pageId, title, due, fresh, total };
  });
  await setDecks(accountId, deckCounts);
}

/** Updates the local list from the server. */
async function refreshLibrary(): Promise<void> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return;
  await navigator.locks.request("lamplight-library", async () => {
    await refreshCaptures(account.accountId);
    await refreshPagesAndDecks(account.accountId);
  });
  notify("library");
}

// After a failure the list stays as it is until the next change or interval.
const refreshNow = coalesce(() => refreshLibrary().catch(() => undefined));

/** Keeps the list up to date while this document lives. */
export function startLibraryRefresh(): void {
  listen("account", refreshNow);
  listen("saved", refreshNow);
  setInterval(refreshNow, REFRESH_INTERVAL_MS);
  refreshNow();
}
