import { parseCitation } from "#shared/citations.ts";
import type { Component, Run } from "#shared/pages/schema.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { FILE_ADDRESS } from "#api/pages/create/copy-page.ts";
import {
  type ComponentHead,
  findActiveComponent,
  findActiveHead,
  findPageHead,
  listHeadsOnPage,
} from "#api/pages/find-component.ts";
import { listComponents } from "#api/pages/sources.ts";
import { findEpisodeHead } from "#api/podcasts/shared-episode.ts";
import { findResearchHead, listCanvasComponents } from "#api/research/canvas-components.ts";
import { findPublished } from "#api/website/published-site.ts";
import type { ShareDoc } from "./store.ts";

/** The header and version of a shared item, without its content. */
export interface SharedHead {
  title: string;
  emoji: string | null;
  /** Changes with every change of the content. */
  version: string;
}

/** The content that a share shows, in its current state. */
export interface SharedContent {
  title: string;
  emoji: string | null;
  components: Component[];
}

/** Conversations are private, even on a shared page. */
const isShareable = (component: Component) =>
  component.type !== "chat" && !("isArchived" in component.content && component.content.isArchived);

const isHeadShareable = ({ type, isArchived }: ComponentHead) => type !== "chat" && !isArchived;

/** Whether a component fits the share type. */
function isOfType(component: Pick<Component, "type">, type: ShareType): boolean {
  if (type === "component_video") return component.type === "video";
  if (type === "component_flashcards") return component.type === "flash_cards";
  return type === "component_pdf" && component.type === "image";
}

/** Title and version of what a share shows; undefined if it is archived, deleted or another account's. */
export async function findTargetHead(own: Own, type: ShareType, targetId: string): Promise<SharedHead | undefined> {
  if (type === "page") {
    const page = await findPageHead(own, targetId);
    return page && { title: page.title, emoji: page.emoji, version: String(page.rev) };
  }
  if (type === "research_session") {
    const session = await findResearchHead(own, targetId);
    return session && { ...session, emoji: null };
  }
  if (type === "podcast") {
    const podcast = await findEpisodeHead(own, targetId);
    return podcast && { ...podcast, emoji: null };
  }
  if (type === "website_project") {
    const published = await findPublished(own, targetId);
    return published && { title: published.title, emoji: null, version: published.checkpointId };
  }
  const head = await findActiveHead(own, targetId);
  if (!head || !isOfType(head, type) || !isHeadShareable(head)) return undefined;
  return { title: head.title, emoji: null, version: String(head.rev) };
}

export const findSharedHead = (store: DocumentStore, { ownerId, type, targetId }: ShareDoc) =>
  findTargetHead(ownedBy(store, ownerId), type, targetId);

/** Ids of the components that a share shows, in order. */
export async function listContentIds(own: Own, { type, targetId }: ShareDoc): Promise<string[]> {
  if (type === "research_session" || type === "podcast" || type === "website_project") return [];
  if (type !== "page") return [targetId];
  return (await listHeadsOnPage(own, targetId)).filter(isHeadShareable).map(({ _id }) => _id);
}

/** The content to copy; undefined if it is archived, deleted, another account's, or a podcast or website. */
export async function findTarget(own: Own, type: ShareType, targetId: string): Promise<SharedContent | undefined> {
  if (type === "page") {
    const page = await findPageHead(own, targetId);
    if (!page) return undefined;
    return { ...page, components: (await listComponents(own, targetId)).filter(isShareable) };
  }
  if (type === "research_session") {
    const session = await findResearchHead(own, targetId);
    return session && { title: session.title, emoji: null, components: await listCanvasComponents(own, targetId) };
  }
  if (type === "podcast" || type === "website_project") return undefined;
  const component = await findActiveComponent(own, targetId);
  if (!component || !isOfType(component, type) || !isShareable(component)) return undefined;
  return { title: titleOf(component), emoji: null, components: [component] };
}

export const findShared = (store: DocumentStore, { ownerId, type, targetId }: ShareDoc) =>
  findTarget(ownedBy(store, ownerId), type, targetId);

function titleOf({ type, content }: Component): string {
  if (type === "flash_cards") return content.title;
  return type === "image" || type === "video" ? content.title || content.file.name : "";
}

/**
 * A component as visitors see it: files at the share's own URL, and no citation, mention or name that refers to content
 * outside the share.
 */
export function presentShared(component: Component, share: ShareDoc, includedIds: ReadonlySet<string>) {
  const stripped = stripOutsideReferences({ ...component, pageId: share.targetId, createdBy: "" }, includedIds);
  const text = JSON.stringify(stripped);
  const presented = text.includes("/v1/files/")
    ? (JSON.parse(text.replaceAll(FILE_ADDRESS, `/v1/shared/${share._id}/files/$1`)) as Component)
    : stripped;
  return { component: presented, sizeChars: text.length };
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
  const content =
    typeof run.content === "string" ? run.content : run.content.map((inner) => stripMentions(inner, includedIds));
  const isIncluded = reference && (reference.kind === "link" || includedIds.has(reference.target));
  return { ...run, content, ...(isIncluded ? { reference } : {}) };
}
