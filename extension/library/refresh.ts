import { listen, tell } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { client } from "#extension/app/client.ts";
import { readSetting } from "#extension/app/disk.ts";
import { addKept, readMark, setDecks, setThings } from "./store.ts";

/** The server's clock may be set back slightly, so the end of its list is read again. */
const OVERLAP = 10_000_000;
const AGAIN_MS = 300_000;

/** Reads the captures added since the last time, for the whole account rather than single addresses. */
async function readList(accountId: string): Promise<void> {
  const mark = await readMark(accountId);
  let after: number | null = Math.max(0, mark.upTo - OVERLAP);
  while (after !== null) {
    const { captures, next, upTo } = await client.capture.listCaptures({ after });
    await addKept(accountId, captures, { upTo: Math.max(mark.upTo, upTo), readAt: Date.now() });
    after = next;
  }
}

async function readThings(accountId: string): Promise<void> {
  const [{ content }, { decks }] = await Promise.all([client.pages.getContent({}), client.study.getDue({})]);
  await setThings(accountId, new Set(content.pages.map(({ _id }) => _id)));
  const counted = decks.map(({ componentId, pageId, title, due, fresh, total }) => {
    return { accountId, componentId, pageId, title, due, fresh, total };
  });
  await setDecks(accountId, counted);
}

/** Updates the local list from the server. */
async function refreshLibrary(): Promise<void> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return;
  await navigator.locks.request("lamplight-library", async () => {
    await readList(account.accountId);
    await readThings(account.accountId);
  });
  tell("library");
}

// After a failure the list stays as it is until the next change or interval.
const begin = coalesce(() => refreshLibrary().catch(() => undefined));

/** Keeps the list up to date while this document lives. */
export function keepLibrary(): void {
  listen("account", begin);
  listen("saved", begin);
  setInterval(begin, AGAIN_MS);
  begin();
}
