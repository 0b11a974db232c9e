import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { buildPage } from "#shared/pages/present.ts";
import { type Component, FileContent } from "#shared/pages/schema.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { contentFields } from "./sync/apply-component.ts";
import { pageNotFound, insertIntoPageOrder } from "./sync/apply-page.ts";
import { deriveId } from "./derive-id.ts";
import { summaryFieldsOf, presentComponent } from "./present.ts";
import { bumpPage, componentsOf, findLiveComponent, findPage, pagesOf, touchPage } from "./store.ts";

type FileComponent = Extract<Component, { type: "image" | "video" }>;

/** URL of a video's thumbnail. */
export const videoThumbnailUrl = (componentId: string) =>
  `/v1/component/video_get_thumbnail?componentId=${componentId}`;

/** The component created by an earlier attempt of the same upload. */
export async function findFileComponent(own: Own, componentId: string): Promise<FileComponent | undefined> {
  const doc = await findLiveComponent(own, componentId);
  const component = doc && presentComponent(doc);
  if (component?.type !== "image" && component?.type !== "video") return undefined;
  return component.content.file.id === "" ? undefined : component;
}

export async function requirePage(own: Own, pageId: string): Promise<void> {
  if (!(await findPage(own, pageId))) throw pageNotFound();
}

interface FilePage {
  componentId: string;
  title: string;
  now: number;
}

/** Creates a page for a file uploaded without one; all attempts of one upload get the same page. */
export async function createPageForFile(own: Own, { componentId, title, now }: FilePage): Promise<string> {
  const shared = deriveId(own.ownerId, componentId);
  const isTaken = (await pagesOf(own).get(shared)) !== undefined && !(await findPage(own, shared));
  // The student deleted the page of an earlier attempt.
  const resourceId = isTaken ? ulid(now) : shared;
  const data = { title, emoji: null, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: ulid(now), clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = buildPage({ ...request, resourceId, data }, "");
  await pagesOf(own).insert({ ...page, lastOpened: null, rev: 1, applied: [], deletedAt: null });
  return resourceId;
}

/** Stores a file's component, or fills the empty one that the client created, and adds it to its page. */
export async function storeFileComponent(own: Own, component: FileComponent): Promise<Component> {
  const { _id, type, content, pageId, modifiedAt } = component;
  const inserted = await componentsOf(own).insert({
    ...component,
    deletedAt: null,
    writtenBy: null,
    deckLog: null,
    rev: 1,
    applied: [],
    ...summaryFieldsOf(type, content),
  });
  const stored = inserted === "inserted" ? component : await fillComponent(own, component);
  await insertIntoPageOrder(own, pageId, { requestId: `file:${_id}`, positions: [{ id: _id }] });
  await touchPage(own, pageId, modifiedAt);
  await publishChanges(own, [{ kind: "page", ids: [pageId, _id] }]);
  return stored;
}

async function fillComponent(own: Own, { _id, content, modifiedAt }: FileComponent): Promise<Component> {
  // Another account's component of that id does not exist for this one.
  if (!(await findLiveComponent(own, _id))) throw new Failure("not_found", "no_component");
  await changeOnce(componentsOf(own), {
    id: _id,
    requestId: `file:${_id}`,
    change: (current) => {
      const isEmpty = FileContent.safeParse(current.content).data?.file.id === "";
      return { set: isEmpty ? contentFields(current, content, modifiedAt) : {} };
    },
  });
  const filled = await findFileComponent(own, _id);
  if (!filled) throw new Failure("not_found", "no_component");
  return filled;
}

/** Adds metadata to a file's component. */
export async function updateFileMetadata(
  { own, clock }: Pick<UserCtx, "own" | "clock">,
  id: string,
  metadata: Partial<Pick<FileContent, "thumbnail" | "durationMs">>,
): Promise<Component> {
  const { doc } = await changeOnce(componentsOf(own), {
    id,
    requestId: ulid(),
    change: (current) => ({
      set: contentFields(current, FileContent.parse({ ...current.content, ...metadata }), clock.now()),
    }),
  });
  await bumpPage(own, doc.pageId);
  return presentComponent(doc);
}
