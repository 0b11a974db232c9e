import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { freshPage } from "#shared/pages/present.ts";
import { type Component, FileContent } from "#shared/pages/schema.ts";
import { noteChanges } from "#api/store/changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned.ts";
import { contentFields } from "./apply-component.ts";
import { noSuchPage, placeOnPage } from "./apply-page.ts";
import { listedOf, presentComponent } from "./present.ts";
import { componentsOf, findLiveComponent, findPage, pagesOf, touchPage } from "./store.ts";

type FileComponent = Extract<Component, { type: "image" | "video" }>;

/** URL of a video's thumbnail. */
export const filmPictureAddress = (componentId: string) =>
  `/v1/component/video_get_thumbnail?componentId=${componentId}`;

/** The component created by an earlier attempt of the same upload. */
export async function findUploaded(own: Own, componentId: string): Promise<FileComponent | undefined> {
  const doc = await findLiveComponent(own, componentId);
  const component = doc && presentComponent(doc);
  if (component?.type !== "image" && component?.type !== "video") return undefined;
  return component.content.file.id === "" ? undefined : component;
}

export async function requirePage(own: Own, pageId: string): Promise<void> {
  if (!(await findPage(own, pageId))) throw noSuchPage();
}

/** Creates a page for a file uploaded without one. */
export async function savePageFor(own: Own, title: string, now: number): Promise<string> {
  const data = { title, emoji: null, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: ulid(now), clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = freshPage({ ...request, resourceId: ulid(now), data }, "");
  await pagesOf(own).insert({ ...page, lastOpened: null, rev: 1, applied: [], deletedAt: null });
  return page._id;
}

/** Stores a file's component, or fills the empty one that the client created, and adds it to its page. */
export async function placeComponent(own: Own, component: FileComponent): Promise<Component> {
  const { _id, type, content, pageId, modifiedAt } = component;
  const inserted = await componentsOf(own).insert({
    ...component,
    deletedAt: null,
    writtenBy: null,
    deckLog: null,
    rev: 1,
    applied: [],
    ...listedOf(type, content),
  });
  const placed = inserted === "inserted" ? component : await fillComponent(own, component);
  await placeOnPage(own, pageId, { requestId: `file:${_id}`, places: [{ id: _id }] });
  await touchPage(own, pageId, modifiedAt);
  await noteChanges(own, [{ kind: "page", ids: [pageId, _id] }]);
  return placed;
}

async function fillComponent(own: Own, { _id, content, modifiedAt }: FileComponent): Promise<Component> {
  // Another account's component of that id does not exist for this one.
  if (!(await findLiveComponent(own, _id))) throw new Failure("not_found", "no_component");
  await changeOnce(componentsOf(own), {
    id: _id,
    requestId: `file:${_id}`,
    change: (held) => {
      const empty = FileContent.safeParse(held.content).data?.file.id === "";
      return { set: empty ? contentFields(held, content, modifiedAt) : {} };
    },
  });
  const filled = await findUploaded(own, _id);
  if (!filled) throw new Failure("not_found", "no_component");
  return filled;
}

/** Adds metadata to a file's component. */
export async function describeUploaded(
  { own, clock }: Pick<UserCtx, "own" | "clock">,
  id: string,
  told: Partial<Pick<FileContent, "thumbnail" | "durationMs">>,
): Promise<Component> {
  const { doc } = await changeOnce(componentsOf(own), {
    id,
    requestId: ulid(),
    change: (held) => ({ set: contentFields(held, FileContent.parse({ ...held.content, ...told }), clock.now()) }),
  });
  return presentComponent(doc);
}
