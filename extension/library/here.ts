import { normalAddress } from "#shared/capture/rules.ts";
import type { CaptureKind } from "#shared/capture/schema.ts";
import { fill } from "#shared/messages/fill.ts";
import { accountHere } from "#extension/app/account-here.ts";
import { words } from "#extension/words/words.ts";
import { type DeckDue, findHere } from "./store.ts";

/** Library content of one page. */
export interface Here {
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
export async function lookUp(url: string): Promise<Here | undefined> {
  const address = normalAddress(url);
  const account = await accountHere();
  if (address === undefined || !account) return undefined;
  const { kept, decks } = await findHere(account.accountId, address);
  return {
    address,
    kinds: new Set(kept.map(({ kind }) => kind)),
    decks,
    due: decks.reduce((sum, deck) => sum + deck.due, 0),
    total: decks.reduce((sum, deck) => sum + deck.total, 0),
    pageId: kept[0]?.pageId ?? null,
  };
}

const counted = (count: number, one: string, many: string) => (count === 1 ? one : fill(many, { count }));

/** The content as a list in words; empty if there is none. */
export function sayWhat({ kinds, total }: Pick<Here, "kinds" | "total">): string {
  const said = [
    kinds.has("pdf") && words.here_pdf,
    kinds.has("video") && words.here_video,
    kinds.has("note") && words.here_note,
    total > 0 && counted(total, words.here_card_one, words.here_card_many),
    kinds.has("link") && words.here_link,
  ].filter((each) => typeof each === "string");
  const last = said.at(-1) ?? "";
  if (said.length < 2) return last;
  return fill(words.here_list_and, { first: said.slice(0, -1).join(", "), last });
}

export const sayDue = (due: number): string => counted(due, words.here_due_one, words.here_due_many);

export const sayWaiting = (count: number): string => counted(count, words.here_waiting_one, words.here_waiting_many);
