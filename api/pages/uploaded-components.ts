import { ulid } from "ulid";
import type { Own } from "#api/kit/store/owned.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component, Page } from "#shared/pages/schema.ts";
import { type ComponentDoc, componentCollection, pageCollection } from "./collections.ts";

type ImageComponent = Extract<Component, { type: "image" }>;

/** The component that an earlier try of the same upload made. */
export async function findUploaded(own: Own, componentId: string): Promise<Component | undefined> {
  const doc = await own.in(componentCollection).get(componentId);
  return doc?.type === "image" && doc.content.file.id !== "" ? present(doc) : undefined;
}

export async function requirePage(own: Own, pageId: string): Promise<void> {
  const page = await own.in(pageCollection).get(pageId);
  if (!page) throw new Failure("not_found", "There is no such page.");
}

/** A file that is brought to no page gets one of its own. */
export async function savePageFor(own: Own, title: string, now: number): Promise<string> {
  const page: Page = {
    _id: ulid(now),
    ownedBy: own.ownerId,
    title,
    emoji: null,
    createdAt: now,
    lastUpdated: now,
    archived: false,
    archivedAt: null,
    lastOpened: null,
    order: now,
    parent: null,
    components: [],
    children: [],
    relationshipCategories: [],
    aiDescription: null,
    isFlashcardPage: false,
    flashcardTitle: null,
    flashcardLastOpenedAt: null,
  };
  await own.in(pageCollection).insert(page);
  return page._id;
}

/** Stores a file's component, in the empty one of that id where a client made it beforehand, and names it on its page. */
export async function placeComponent(own: Own, component: ImageComponent): Promise<Component> {
  const components = own.in(componentCollection);
  if ((await components.insert(component)) === "duplicate") return fillComponent(own, component);
  await own
    .in(pageCollection)
    .patch(
      { _id: component.pageId },
      { push: { components: [component._id] }, set: { lastUpdated: component.modifiedAt } },
    );
  return component;
}

async function fillComponent(own: Own, { _id, content, modifiedAt }: ImageComponent): Promise<Component> {
  const empty = { _id, type: "image", "content.file.id": "" } as const;
  const filled = await own
    .in(componentCollection)
    .patch(empty, { set: { content, modifiedAt }, increment: { version: 1 } });
  const found = filled ? present(filled) : await findUploaded(own, _id);
  // Another account's component of that id does not exist for this one.
  if (!found) throw new Failure("not_found", "There is no such component.");
  return found;
}

function present(doc: ComponentDoc): Component {
  const { ownerId: _, ...component } = doc;
  return component;
}
