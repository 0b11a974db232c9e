import { publishChanges } from "#api/store/account-changes.ts";
import { findFile, removeFile, saveFile } from "#api/blobs/file-records.ts";
import type { QuotaContext } from "#api/blobs/storage-quota.ts";
import type { Own } from "#api/store/owned-store.ts";
import { buildPage } from "#shared/pages/present.ts";
import type { Component, Page } from "#shared/pages/schema.ts";
import { deriveId } from "../derive-id.ts";
import { readContent } from "../sync/apply-component.ts";
import { createDeckLog, summaryFieldsOf, presentComponent, presentPage } from "../present.ts";
import { componentsOf, idTaken, pagesOf, refuseForeignPageId } from "../store.ts";

export interface CopyRequest {
  from: Own;
  /** The account that gets the copy; its files count against its quota. */
  ctx: QuotaContext;
  /** Id of the new page; all other ids derive from it, so a repeat adds nothing. */
  copyId: string;
  title: string;
  emoji: string | null;
  components: readonly Component[];
  now: number;
}

/** Shorter strings are not replaced, because an ordinary word might equal a short id. */
const MIN_ID_LENGTH = 10;
export const FILE_ADDRESS = /\/v1\/files\/([\w.-]+)/g;

/** Ids of the files that the components show. */
export const listFileIds = (components: readonly Component[]): ReadonlySet<string> =>
  new Set([...JSON.stringify(components).matchAll(FILE_ADDRESS)].map(([, id]) => id ?? ""));

/** A citation of a text on a page also contains the id of the page. */
const PAGE_CITATION = /(page_citation:)[^:"]+:([\w.-]+)/g;

/** Creates a page with deep copies of the components: new ids, shared file contents. */
export async function savePageCopy(request: CopyRequest): Promise<{ page: Page; components: Component[] }> {
  const { copyId, ctx } = request;
  const to = ctx.own;
  await refuseForeignPageId(to, copyId);
  // An earlier copy in the trash can be restored, so nothing is added to it.
  const earlier = await pagesOf(to).get(copyId);
  if (earlier && earlier.deletedAt !== null) throw idTaken();
  const fileIds = await copyFiles(request);
  const copies = copyComponents(request, fileIds);
  for (const copy of copies) await saveNewComponent(to, copy, request.now);
  const ids = copies.map(({ _id }) => _id);
  await saveNewPage(to, { ...request, pageId: copyId }, ids);
  const stored = await pagesOf(to).get(copyId);
  if (!stored) {
    // Another account took the id meanwhile: leave nothing behind.
    await componentsOf(to).remove({ pageId: copyId });
    for (const fileId of fileIds.values()) await removeFile(to, fileId);
    throw idTaken();
  }
  await publishChanges(to, [{ kind: "content", ids: [copyId] }]);
  const saved = await Promise.all(ids.map((id) => componentsOf(to).get(id)));
  const docs = saved.flatMap((doc) => doc ?? []);
  return { page: presentPage(stored, docs, []), components: docs.map(presentComponent) };
}

/** Maps the files that the components show to their copies' ids. */
async function copyFiles({ from, ctx, copyId, components, now }: CopyRequest): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const added: string[] = [];
  try {
    for (const id of listFileIds(components)) {
      const file = await findFile(from, id);
      if (!file) continue;
      const { ownerId: _owner, ...record } = file;
      const copy = `${deriveId(copyId, id)}${/\.\w+$/.exec(id)?.[0] ?? ""}`;
      if ((await saveFile(ctx, { ...record, _id: copy, createdAt: now })) === "inserted") added.push(copy);
      ids.set(id, copy);
    }
    return ids;
  } catch (error) {
    for (const id of added) await removeFile(ctx.own, id);
    throw error;
  }
}

function copyComponents({ copyId, components }: CopyRequest, files: ReadonlyMap<string, string>): Component[] {
  const ids = new Map([...files, ...components.map(({ _id }) => [_id, deriveId(copyId, _id)] as const)]);
  // Citations, mentions and links point into the copy if their target was copied.
  const text = JSON.stringify(components.map(({ content }) => content)).replaceAll(
    PAGE_CITATION,
    (citation, prefix: string, id: string) => (ids.has(id) ? `${prefix}${copyId}:${id}` : citation),
  );
  const renamed = text.replaceAll(/[\w.-]+/g, (word) => (word.length < MIN_ID_LENGTH ? word : (ids.get(word) ?? word)));
  const contents = JSON.parse(renamed) as Component["content"][];
  return components.map((component, index) => {
    const copy = { ...component, content: contents[index], _id: ids.get(component._id), pageId: copyId } as Component;
    return copy.type === "flash_cards" ? withNewCardIds(copy, copyId) : copy;
  });
}

/** Copied cards get new ids, so they do not share reviews. */
function withNewCardIds(deck: Extract<Component, { type: "flash_cards" }>, copyId: string): Component {
  const cards = deck.content.cards.map(({ groupId, ...card }) => ({
    ...card,
    id: deriveId(copyId, card.id),
    ...(groupId === undefined ? {} : { groupId: deriveId(copyId, groupId) }),
  }));
  return { ...deck, content: { ...deck.content, cards } };
}

/** Stores a new component. */
export async function saveNewComponent(to: Own, { _id, pageId, type, content }: Component, now: number): Promise<void> {
  const validContent = readContent(type, content);
  await componentsOf(to).insert({
    _id,
    pageId,
    type,
    content: validContent,
    createdAt: now,
    modifiedAt: now,
    createdBy: to.ownerId,
    lastOpenedAt: null,
    version: 1,
    deletedAt: null,
    writtenBy: null,
    deckLog: createDeckLog(type, validContent, 1),
    rev: 1,
    applied: [],
    ...summaryFieldsOf(type, validContent),
  });
}

interface PageHeader {
  pageId: string;
  title: string;
  emoji: string | null;
  now: number;
}

/** Written last, so that an interrupted copy stays invisible. */
export async function saveNewPage(to: Own, header: PageHeader, components: readonly string[]): Promise<void> {
  const { pageId, title, emoji, now } = header;
  const data = { title, emoji, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: pageId, clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = buildPage({ ...request, resourceId: pageId, data }, "");
  const order = [...components];
  await pagesOf(to).insert({ ...page, components: order, lastOpened: null, rev: 1, applied: [], deletedAt: null });
}
