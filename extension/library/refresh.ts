import { listen, tell } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { client } from "#extension/app/client.ts";
import { readSetting } from "#extension/app/disk.ts";
import { addKept, readMark, setDecks, setThings } from "./store.ts";

/** The server's clock may be set back a little: so much of the end of its list is read again. */
const OVERLAP = 10_000_000;
const AGAIN_MS = 300_000;

/** Reads what was saved since the last time: everything the account has, and never one address. */
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

/** Brings the list on this device up to date with the server's. */
async function refreshLibrary(): Promise<void> {
  const account = await readSetting("account");
  if (!account || account.hasEnded) return;
  await navigator.locks.request("lamplight-library", async () => {
    await readList(account.accountId);
    await readThings(account.accountId);
  });
  tell("library");
}

// Without an answer the list stays as it is; the next news or the next round tries again.
const begin = coalesce(() => refreshLibrary().catch(() => undefined));

/** Keeps the list up to date for as long as this document lives. */
export function keepLibrary(): void {
  listen("account", begin);
  listen("saved", begin);
  setInterval(begin, AGAIN_MS);
  begin();
}
