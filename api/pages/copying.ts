import { hash } from "node:crypto";
import { noteChanges } from "#api/store/changes.ts";
import { findFile, saveFile } from "#api/blobs/file-records.ts";
import type { Own } from "#api/store/owned.ts";
import { freshPage } from "#shared/pages/present.ts";
import type { Component, Page } from "#shared/pages/schema.ts";
import { readContent } from "./apply-component.ts";
import { freshDeckLog, listedOf, presentComponent, presentPage } from "./present.ts";
import { componentsOf, findPage, pagesOf } from "./store.ts";

export interface Copying {
  from: Own;
  to: Own;
  /** Id of the new page; all other ids derive from it, so a repeat adds nothing. */
  copyId: string;
  title: string;
  emoji: string | null;
  components: readonly Component[];
  now: number;
}

/** Shorter strings cannot be ids: a word of a text might match one. */
const MIN_ID = 10;
export const FILE_ADDRESS = /\/v1\/files\/([\w.-]+)/g;

/** Ids of the files that the components show. */
export const filesIn = (components: readonly Component[]): ReadonlySet<string> =>
  new Set([...JSON.stringify(components).matchAll(FILE_ADDRESS)].map(([, id]) => id ?? ""));

const idFor = (copyId: string, id: string) => hash("sha256", `${copyId}:${id}`, "base64url").slice(0, 26);

/** Creates a page with deep copies of the components: new ids, shared file contents. */
export async function saveCopy(copying: Copying): Promise<{ page: Page; components: Component[] }> {
  const { to, copyId } = copying;
  const copies = copiesOf(copying, await copyFiles(copying));
  for (const copy of copies) await saveComponent(to, copy, copying.now);
  const ids = copies.map(({ _id }) => _id);
  await savePage(to, { ...copying, pageId: copyId }, ids);
  const page = await findPage(to, copyId);
  if (!page) throw new Error("the copied page was not stored");
  await noteChanges(to, [{ kind: "content", ids: [copyId] }]);
  const saved = await Promise.all(ids.map((id) => componentsOf(to).get(id)));
  const components = saved.flatMap((doc) => (doc ? [presentComponent(doc)] : []));
  return { page: presentPage(page, ids, []), components };
}

/** Maps the files that the components show to their copies' ids. */
async function copyFiles({ from, to, copyId, components, now }: Copying): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const id of filesIn(components)) {
    const file = await findFile(from, id);
    if (!file) continue;
    const { ownerId: _owner, ...record } = file;
    const copy = `${idFor(copyId, id)}${/\.\w+$/.exec(id)?.[0] ?? ""}`;
    await saveFile(to, { ...record, _id: copy, createdAt: now });
    ids.set(id, copy);
  }
  return ids;
}

function copiesOf({ copyId, components }: Copying, files: ReadonlyMap<string, string>): Component[] {
  const ids = new Map([...files, ...components.map(({ _id }) => [_id, idFor(copyId, _id)] as const)]);
  // Citations, mentions and links point into the copy if their target was copied.
  const text = JSON.stringify(components.map(({ content }) => content));
  const renamed = text.replaceAll(/[\w.-]+/g, (word) => (word.length < MIN_ID ? word : (ids.get(word) ?? word)));
  const contents = JSON.parse(renamed) as Component["content"][];
  return components.map((component, index) => {
    const copy = { ...component, content: contents[index], _id: ids.get(component._id), pageId: copyId } as Component;
    return copy.type === "flash_cards" ? withOwnCards(copy, copyId) : copy;
  });
}

/** Copied cards get new ids, so they do not share reviews. */
function withOwnCards(deck: Extract<Component, { type: "flash_cards" }>, copyId: string): Component {
  const cards = deck.content.cards.map(({ groupId, ...card }) => ({
    ...card,
    id: idFor(copyId, card.id),
    ...(groupId === undefined ? {} : { groupId: idFor(copyId, groupId) }),
  }));
  return { ...deck, content: { ...deck.content, cards } };
}

/** Stores a new component. */
export async function saveComponent(to: Own, { _id, pageId, type, content }: Component, now: number): Promise<void> {
  const held = readContent(type, content);
  await componentsOf(to).insert({
    _id,
    pageId,
    type,
    content: held,
    createdAt: now,
    modifiedAt: now,
    createdBy: to.ownerId,
    lastOpenedAt: null,
    version: 1,
    deletedAt: null,
    writtenBy: null,
    deckLog: freshDeckLog(type, held, 1),
    rev: 1,
    applied: [],
    ...listedOf(type, held),
  });
}

interface PageLook {
  pageId: string;
  title: string;
  emoji: string | null;
  now: number;
}

/** Written last, so that an interrupted copy stays invisible. */
export async function savePage(to: Own, look: PageLook, components: readonly string[]): Promise<void> {
  const { pageId, title, emoji, now } = look;
  const data = { title, emoji, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: pageId, clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = freshPage({ ...request, resourceId: pageId, data }, "");
  const order = [...components];
  await pagesOf(to).insert({ ...page, components: order, lastOpened: null, rev: 1, applied: [], deletedAt: null });
}
