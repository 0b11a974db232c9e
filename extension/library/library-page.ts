import { normaliseAddress } from "#shared/capture/rules.ts";
import type { CaptureKind } from "#shared/capture/schema.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { findCachedAccount } from "#extension/app/cached-account.ts";
import { words } from "#extension/words/words.ts";
import { type DeckDue, findByAddress } from "./store.ts";

/** Library content of one page. */
export interface LibraryPage {
  address: string;
  kinds: ReadonlySet<CaptureKind>;
  decks: readonly DeckDue[];
  due: number;
  /** Number of cards in its decks. */
  total: number;
  /** The note page it belongs to; null if there is none. */
  pageId: string | null;
}

/** Looks up an address in the local list; undefined if it is no web page or no account is connected. */
export async function findLibraryPage(url: string): Promise<LibraryPage | undefined> {
  const address = normaliseAddress(url);
  const account = await findCachedAccount();
  if (address === undefined || !account) return undefined;
  const { captures, decks } = await findByAddress(account.accountId, address);
  return {
    address,
    kinds: new Set(captures.map(({ kind }) => kind)),
    decks,
    due: decks.reduce((sum, deck) => sum + deck.due, 0),
    total: decks.reduce((sum, deck) => sum + deck.total, 0),
    pageId: captures[0]?.pageId ?? null,
  };
}

const formatCount = (count: number, one: string, many: string) => (count === 1 ? one : interpolate(many, { count }));

/** Lists the content in words; empty if there is no content. */
export function formatContents({ kinds, total }: Pick<LibraryPage, "kinds" | "total">): string {
  const parts = [
    kinds.has("pdf") && words.here_pdf,
    kinds.has("video") && words.here_video,
    kinds.has("note") && words.here_note,
    total > 0 && formatCount(total, words.here_card_one, words.here_card_many),
    kinds.has("link") && words.here_link,
  ].filter((part) => typeof part === "string");
  const last = parts.at(-1) ?? "";
  if (parts.length < 2) return last;
  return interpolate(words.here_list_and, { first: parts.slice(0, -1).join(", "), last });
}

export const formatDueCount = (due: number): string => formatCount(due, words.here_due_one, words.here_due_many);

export const formatWaitingCount = (count: number): string =>
  formatCount(count, words.here_waiting_one, words.here_waiting_many);
