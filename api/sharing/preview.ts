import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { PagePreview } from "#api/http/web-files.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { readComponents } from "#api/pages/find-component.ts";
import { findSharedHead, type SharedHead } from "./shared-content.ts";
import { readContentIds } from "./shared-part.ts";
import { findShare, type ShareDoc } from "./store.ts";
import { VersionCache } from "./version-cache.ts";

const LINK = /^\/s\/([\w-]{1,64})$/;
const MAX_DESCRIPTION = 200;
/** How much of the content is read: enough characters for a description, from few components. */
const MAX_READ_CHARS = 300;
const MAX_READ_COMPONENTS = 5;
const MAX_PREVIEWS = 2_000;

const excerpts = new VersionCache<string>(MAX_PREVIEWS, () => 1);

/** Whether a path may have a link preview. */
export const isShareLink = (path: string) => LINK.test(path);

/** Link preview data for other programs; undefined for paths that share nothing. */
export async function readSharePreview(store: DocumentStore, path: string): Promise<PagePreview | undefined> {
  const shareId = LINK.exec(path)?.[1];
  const share = shareId === undefined ? undefined : await findShare(store, shareId);
  const head = share && (await findSharedHead(store, share));
  if (!head) return undefined;
  return {
    title: head.title || "Lamplight",
    description: share.description || (await readExcerpt(store, share, head)),
    // Search engines may index listed shares only; an unlisted link is private to its recipients.
    isIndexable: share.visibility === "listed",
  };
}

const readExcerpt = (store: DocumentStore, share: ShareDoc, { version }: SharedHead) =>
  excerpts.get(share._id, version, async () => {
    const ids = await readContentIds(store, share, version);
    let text = "";
    for await (const component of readComponents(ownedBy(store, share.ownerId), ids.slice(0, MAX_READ_COMPONENTS))) {
      text = `${text} ${beginningOf(component)}`.slice(0, MAX_READ_CHARS);
      if (text.length === MAX_READ_CHARS) break;
    }
    const words = text.replaceAll(/\s+/g, " ").trim();
    return words.length > MAX_DESCRIPTION ? `${words.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/u, "")} …` : words;
  });

function beginningOf(component: Component): string {
  if (component.type === "flash_cards") return component.content.cards[0]?.question.slice(0, MAX_READ_CHARS) ?? "";
  if (component.type !== "text") return "";
  let text = "";
  for (const run of component.content.text) {
    text += plainText([run]).slice(0, MAX_READ_CHARS);
    if (text.length >= MAX_READ_CHARS) break;
  }
  return text;
}
