import { type DBSchema, unwrap } from "idb";
import type { CaptureKind, CaptureRecord } from "#shared/capture/schema.ts";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import { renameStore } from "#shared/sync/storage/rename-stored.ts";

/** A capture in the library. */
export interface LibraryCapture {
  accountId: string;
  id: string;
  kind: CaptureKind;
  address: string;
  pageId: string;
  componentId: string | null;
}

/** A deck with its counts from the server. */
export interface DeckDue {
  accountId: string;
  componentId: string;
  pageId: string;
  title: string;
  due: number;
  fresh: number;
  total: number;
}

interface ListPosition {
  /** Position up to which the server's list was read. */
  upTo: number;
  readAt: number;
}

interface LibrarySchema extends DBSchema {
  captures: { key: [string, string]; value: LibraryCapture; indexes: { address: [string, string] } };
  /** Pages that exist in the library; deleted ones are removed here. */
  pages: { key: [string, string]; value: { accountId: string; id: string } };
  decks: { key: [string, string]; value: DeckDue };
  positions: { key: string; value: ListPosition };
}

const open = openDatabase<LibrarySchema>({
  name: "lamplight-library",
  steps: [
    (db) => {
      db.createObjectStore("captures", { keyPath: ["accountId", "id"] }).createIndex("address", [
        "accountId",
        "address",
      ]);
      db.createObjectStore("pages", { keyPath: ["accountId", "id"] });
      db.createObjectStore("decks", { keyPath: ["accountId", "componentId"] });
      db.createObjectStore("positions");
    },
    (_db, transaction) => {
      const upgrade = unwrap(transaction);
      renameStore(upgrade, "kept", "captures");
      renameStore(upgrade, "things", "pages");
      renameStore(upgrade, "marks", "positions");
    },
  ],
});

const accountRange = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []]);

export async function readListPosition(accountId: string): Promise<ListPosition> {
  return (await (await open()).get("positions", accountId)) ?? { upTo: 0, readAt: 0 };
}

/** Adds listed captures and the new position in one transaction. */
export async function addCaptures(
  accountId: string,
  records: readonly CaptureRecord[],
  position: ListPosition,
): Promise<void> {
  const tx = (await open()).transaction(["captures", "positions"], "readwrite");
  const capturesStore = tx.objectStore("captures");
  const puts = records.map(({ _id: id, kind, address, pageId, componentId }) =>
    capturesStore.put({ accountId, id, kind, address, pageId, componentId }),
  );
  await Promise.all([...puts, tx.objectStore("positions").put(position, accountId), tx.done]);
}

/** Sets the list of existing pages to `ids`, writing only differences. */
export async function setExistingPages(accountId: string, ids: ReadonlySet<string>): Promise<void> {
  const tx = (await open()).transaction("pages", "readwrite");
  const stored = new Set((await tx.store.getAllKeys(accountRange(accountId))).map(([, id]) => id));
  await Promise.all([
    ...[...stored].filter((id) => !ids.has(id)).map((id) => tx.store.delete([accountId, id])),
    ...[...ids].filter((id) => !stored.has(id)).map((id) => tx.store.put({ accountId, id })),
    tx.done,
  ]);
}

const isSame = (a: DeckDue, b: DeckDue | undefined) =>
  b !== undefined && a.due === b.due && a.fresh === b.fresh && a.total === b.total && a.title === b.title;

/** Sets the list of decks, writing only differences. */
export async function setDecks(accountId: string, decks: readonly DeckDue[]): Promise<void> {
  const tx = (await open()).transaction("decks", "readwrite");
  const stored = new Map((await tx.store.getAll(accountRange(accountId))).map((deck) => [deck.componentId, deck]));
  const deckIds = new Set(decks.map(({ componentId }) => componentId));
  await Promise.all([
    ...[...stored.keys()].filter((id) => !deckIds.has(id)).map((id) => tx.store.delete([accountId, id])),
    ...decks.filter((deck) => !isSame(deck, stored.get(deck.componentId))).map((deck) => tx.store.put(deck)),
    tx.done,
  ]);
}

export const listDecks = async (accountId: string): Promise<DeckDue[]> =>
  (await open()).getAll("decks", accountRange(accountId));

/** The address that a card was captured from; undefined if unknown. */
export const addressOf = async (accountId: string, cardId: string): Promise<string | undefined> =>
  (await (await open()).get("captures", [accountId, cardId]))?.address;

/** Updates the counts of a deck, for example after a review in this panel. */
export async function updateDeckCounts(accountId: string, componentId: string, counts: Pick<DeckDue, "due" | "fresh">) {
  const tx = (await open()).transaction("decks", "readwrite");
  const stored = await tx.store.get([accountId, componentId]);
  if (stored) await tx.store.put({ ...stored, ...counts });
  await tx.done;
}

export interface AddressContents {
  captures: LibraryCapture[];
  decks: DeckDue[];
}

/** Captures and decks of an address that still exist, according to the local list. */
export async function findByAddress(accountId: string, address: string): Promise<AddressContents> {
  const tx = (await open()).transaction(["captures", "pages", "decks"]);
  const all = await tx
    .objectStore("captures")
    .index("address")
    .getAll(IDBKeyRange.only([accountId, address]));
  const pageIds = [...new Set(all.map(({ pageId }) => pageId))];
  const componentIds = [
    ...new Set(all.flatMap(({ kind, componentId }) => (kind === "card" ? (componentId ?? []) : []))),
  ];
  const [existingKeys, decks] = await Promise.all([
    Promise.all(pageIds.map((id) => tx.objectStore("pages").getKey([accountId, id]))),
    Promise.all(componentIds.map((id) => tx.objectStore("decks").get([accountId, id]))),
  ]);
  const existingPageIds = new Set(pageIds.filter((_, index) => existingKeys[index] !== undefined));
  return {
    captures: all.filter(({ pageId }) => existingPageIds.has(pageId)),
    decks: decks.flatMap((deck) => deck ?? []),
  };
}
