import type { IDBPObjectStore, StoreNames } from "idb";
import { ulid } from "ulid";
import type { Component } from "#shared/pages/schema.ts";
import type { PageState } from "../overlay.ts";
import type { LocalSchema, LongRow, PageKey, PageRow } from "./local-schema.ts";

/**
 * A page of more components than this is stored in parts. The browser copies a row before it stores it, and the tab waits
 * for that, so after a change only the parts that differ are written.
 */
const MAX_WHOLE = 100;

export type PageStore<M extends IDBTransactionMode> = IDBPObjectStore<
  LocalSchema,
  StoreNames<LocalSchema>[],
  "pages",
  M
>;
type Parts = ReadonlyMap<string, readonly Component[]>;

const partKey = (pageId: string, id: string) => `${pageId}/${id}`;
const rangeOfParts = ({ accountId, pageId }: PageKey) =>
  IDBKeyRange.bound([accountId, partKey(pageId, "")], [accountId, partKey(pageId, "\uffff")]);

/** Depends on the id alone, so that an inserted or deleted component changes only the part that it is in. */
const beginsPart = ({ _id }: Component) => _id.endsWith("0");

function splitIntoParts(pageId: string, components: readonly Component[]): Parts {
  const parts = new Map<string, Component[]>();
  let part: Component[] | undefined;
  for (const component of components)
    if (part && !beginsPart(component)) part.push(component);
    else parts.set(partKey(pageId, component._id), (part = [component]));
  return parts;
}

/** The parts of long pages as this tab wrote them last, with the revision of that write. */
const written = new Map<string, { revision: string; parts: Parts }>();

const isSame = (a: readonly Component[] | undefined, b: readonly Component[]) =>
  a?.length === b.length && a.every((component, at) => component === b[at]);

export async function putPage(
  store: PageStore<"readwrite">,
  key: PageKey & { keptAt: number },
  state: PageState,
): Promise<void> {
  if (state.components.length > MAX_WHOLE) await putLongPage(store, key, state);
  else await Promise.all([store.delete(rangeOfParts(key)), store.put({ ...key, state })]);
}

/** Writes the parts that differ from what this tab wrote last, or all of them if another tab has written since. */
async function putLongPage(
  store: PageStore<"readwrite">,
  { accountId, pageId, keptAt }: PageKey & { keptAt: number },
  state: PageState,
): Promise<void> {
  const stored = await findLongRow(store, { accountId, pageId });
  const known = written.get(partKey(accountId, pageId));
  const before = stored?.revision === known?.revision ? known?.parts : undefined;
  const parts = splitIntoParts(pageId, state.components);
  const revision = ulid();
  // If the transaction fails, the stored revision is another one, and the next write includes all parts.
  written.set(partKey(accountId, pageId), { revision, parts });
  const superfluous = (stored?.parts ?? []).filter((part) => !parts.has(part));
  const changed = [...parts].filter(([part, components]) => !isSame(before?.get(part), components));
  // The ids of the components follow from the parts.
  const page = state.page && { ...state.page, components: [] };
  await Promise.all([
    ...superfluous.map((part) => store.delete([accountId, part])),
    ...changed.map(([part, components]) => store.put({ accountId, pageId: part, components })),
    store.put({ accountId, pageId, keptAt, page, parts: [...parts.keys()], revision }),
  ]);
}

async function findLongRow(
  store: PageStore<IDBTransactionMode>,
  { accountId, pageId }: PageKey,
): Promise<LongRow | undefined> {
  const row = await store.get([accountId, pageId]);
  return row && "parts" in row ? row : undefined;
}

function joinParts({ page, parts }: LongRow, rows: ReadonlyMap<string, PageRow>): PageState {
  const components = parts.flatMap((part) => {
    const row = rows.get(part);
    return row && "components" in row ? row.components : [];
  });
  return { page: page && { ...page, components: components.map(({ _id }) => _id) }, components };
}

const byKey = (rows: readonly PageRow[]) => new Map(rows.map((row) => [row.pageId, row]));

export async function getPage(
  store: PageStore<IDBTransactionMode>,
  { accountId, pageId }: PageKey,
): Promise<PageState | undefined> {
  const row = await store.get([accountId, pageId]);
  if (row && "state" in row) return row.state;
  if (!row || !("parts" in row)) return undefined;
  return joinParts(row, byKey(await store.getAll(rangeOfParts({ accountId, pageId }))));
}

/** The pages that consist of these rows. */
export function joinRows(rows: readonly PageRow[]): PageState[] {
  const all = byKey(rows);
  return rows.flatMap((row) => {
    if ("state" in row) return [row.state];
    return "parts" in row ? [joinParts(row, all)] : [];
  });
}

export async function deletePage(store: PageStore<"readwrite">, key: PageKey): Promise<void> {
  await Promise.all([store.delete([key.accountId, key.pageId]), store.delete(rangeOfParts(key))]);
}
