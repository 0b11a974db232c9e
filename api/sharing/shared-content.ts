import { parseCitation } from "#shared/citations.ts";
import type { Component, Run } from "#shared/pages/schema.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { FILE_ADDRESS } from "#api/pages/create/copy-page.ts";
import { findPageHead, findActiveComponent } from "#api/pages/find-component.ts";
import { listComponents } from "#api/pages/sources.ts";
import { isOwnerBeingDeleted, type ShareDoc } from "./store.ts";

/** The content that a share opens, in its current state. */
export interface SharedContent {
  title: string;
  emoji: string | null;
  components: Component[];
}

/** Conversations are private, even on a shared page. */
const isShareable = (component: Component) =>
  component.type !== "chat" && !("isArchived" in component.content && component.content.isArchived);

/** Whether a component fits the share type. */
export function isOfType(component: Component, type: ShareType): boolean {
  if (type === "component_video") return component.type === "video";
  if (type === "component_flashcards") return component.type === "flash_cards";
  return type === "component_pdf" && component.type === "image";
}

/** The content itself; undefined if it is archived, deleted or another account's. */
export async function findTarget(own: Own, type: ShareType, targetId: string): Promise<SharedContent | undefined> {
  if (type === "page") {
    const page = await findPageHead(own, targetId);
    if (!page) return undefined;
    return { ...page, components: (await listComponents(own, targetId)).filter(isShareable) };
  }
  const component = await findActiveComponent(own, targetId);
  if (!component || !isOfType(component, type) || !isShareable(component)) return undefined;
  return { title: titleOf(component), emoji: null, components: [component] };
}

/** Whether a share can be opened, without reading its content. */
export async function canOpenShare(store: DocumentStore, share: ShareDoc): Promise<boolean> {
  if (await isOwnerBeingDeleted(store, share)) return false;
  const { ownerId, type, targetId } = share;
  const own = ownedBy(store, ownerId);
  if (type === "page") return (await findPageHead(own, targetId)) !== undefined;
  const component = await findActiveComponent(own, targetId);
  return component !== undefined && isOfType(component, type) && isShareable(component);
}

export const findShared = (store: DocumentStore, { ownerId, type, targetId }: ShareDoc) =>
  findTarget(ownedBy(store, ownerId), type, targetId);

function titleOf({ type, content }: Component): string {
  if (type === "flash_cards") return content.title;
  return type === "image" || type === "video" ? content.title || content.file.name : "";
}

/**
 * The components as visitors see them: files at the share's own URL, and no citation, mention or name that refers to
 * content outside the share.
 */
export function presentShared(components: readonly Component[], share: Pick<ShareDoc, "_id" | "targetId">) {
  const text = JSON.stringify(withoutOutsideReferences(components, share.targetId));
  return JSON.parse(text.replaceAll(FILE_ADDRESS, `/v1/shared/${share._id}/files/$1`)) as Component[];
}

/** Removes references to content outside the share. */
export function withoutOutsideReferences(components: readonly Component[], targetId: string): Component[] {
  const includedIds = new Set([targetId, ...components.map(({ _id }) => _id)]);
  return components.map((component) =>
    stripOutsideReferences({ ...component, pageId: targetId, createdBy: "" }, includedIds),
  );
}

function stripOutsideReferences(component: Component, includedIds: ReadonlySet<string>): Component {
  const plain = { ...component, lastOpenedAt: null };
  if (plain.type === "text") {
    const text = plain.content.text.map((run) => stripMentions(run, includedIds));
    return { ...plain, content: { ...plain.content, text } };
  }
  if (plain.type === "flash_cards") {
    const cards = plain.content.cards.map((card) => ({
      ...card,
      citation: citationWithin(card.citation, includedIds),
    }));
    return { ...plain, content: { ...plain.content, cards } };
  }
  if (plain.type === "assistant_message") {
    const citations = plain.content.citations.filter((citation) => citationWithin(citation, includedIds) !== null);
    return { ...plain, content: { ...plain.content, citations } };
  }
  if (plain.type === "image" || plain.type === "video") {
    // The thumbnail URL works only for the owner; the file itself is shown.
    const { takenFrom, ...rest } = { ...plain.content, thumbnail: null };
    const takenFromFields = takenFrom && citationWithin(takenFrom.citation, includedIds) !== null ? { takenFrom } : {};
    return { ...plain, content: { ...rest, ...takenFromFields } };
  }
  return plain;
}

function citationWithin(citation: string | null, includedIds: ReadonlySet<string>): string | null {
  const parsed = citation === null ? undefined : parseCitation(citation);
  if (!parsed) return null;
  if (parsed.type === "web_citation") return citation;
  return includedIds.has(parsed.componentId) ? citation : null;
}

function stripMentions({ reference, ...run }: Run, includedIds: ReadonlySet<string>): Run {
  const content = typeof run.content === "string" ? run.content : run.content.map((r) => stripMentions(r, includedIds));
  const isIncluded = reference && (reference.kind === "link" || includedIds.has(reference.target));
  return { ...run, content, ...(isIncluded ? { reference } : {}) };
}
