import type { Component } from "#shared/pages/schema.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { PagePreview } from "#api/http/web-files.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { findShared } from "./shared-content.ts";
import { findShare } from "./store.ts";

const LINK = /^\/s\/([\w-]{1,64})$/;
const MAX_DESCRIPTION = 200;

/** Link preview data for other programs; undefined for paths that share nothing. */
export async function readSharePreview(store: DocumentStore, path: string): Promise<PagePreview | undefined> {
  const shareId = LINK.exec(path)?.[1];
  const share = shareId === undefined ? undefined : await findShare(store, shareId);
  const target = share && (await findShared(store, share));
  if (!target) return undefined;
  return {
    title: target.title || "Lamplight",
    description: share.description || excerptOf(target.components),
    // Search engines may index listed shares only; an unlisted link is private to its recipients.
    isIndexable: share.visibility === "listed",
  };
}

function excerptOf(components: readonly Component[]): string {
  const texts = components.map((component) => {
    if (component.type === "text") return plainText(component.content.text);
    return component.type === "flash_cards" ? (component.content.cards[0]?.question ?? "") : "";
  });
  const words = texts.join(" ").replaceAll(/\s+/g, " ").trim();
  return words.length > MAX_DESCRIPTION ? `${words.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/u, "")} …` : words;
}
