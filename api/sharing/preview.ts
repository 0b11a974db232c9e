import type { PagePreview } from "#api/http/site/page-preview.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { readFirstWords } from "./excerpt.ts";
import { findSharedHead } from "./shared-content.ts";
import { findShare } from "./store.ts";

const LINK = /^\/s\/([\w-]{1,64})\/?$/;

/** Whether a path may have a link preview. */
export const isShareLink = (path: string) => LINK.test(path);

/** Link preview data for other programs; undefined for paths that are no links to a share. */
export async function readSharePreview(
  store: DocumentStore,
  path: string,
): Promise<PagePreview | "missing" | undefined> {
  if (!path.startsWith("/s/")) return undefined;
  const shareId = LINK.exec(path)?.[1];
  const share = shareId === undefined ? undefined : await findShare(store, shareId);
  const head = share && (await findSharedHead(store, share));
  if (!head) return "missing";
  return {
    title: head.title || "Lamplight",
    description: share.description || (await readFirstWords(store, share, head)),
    // Search engines may index listed shares only; an unlisted link is private to its recipients.
    isIndexable: share.visibility === "listed",
  };
}
