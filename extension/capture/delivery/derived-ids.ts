/**
 * Ids are derived from content, so that the same page has one place in the library regardless of who sends it and when.
 */
async function hashParts(...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(parts.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface PageIds {
  pageId: string;
  /** The line that names the source of the page. */
  headId: string;
  deckId: string;
  videoId: string;
}

export async function createPageIds(accountId: string, address: string): Promise<PageIds> {
  const [pageId, headId, deckId, videoId] = await Promise.all(
    ["page", "head", "deck", "video"].map((what) => hashParts(accountId, address, what)),
  );
  return { pageId: pageId ?? "", headId: headId ?? "", deckId: deckId ?? "", videoId: videoId ?? "" };
}

/** Ids for the blocks of a note: the same text gives the same note. */
export async function createNoteId(accountId: string, address: string, content: string): Promise<string> {
  return (await hashParts(accountId, address, "note", content)).slice(0, 24);
}

/** Id of a file component: the same bytes from the same address give the same id. */
export const fileComponentId = (accountId: string, address: string, hash: string) =>
  hashParts(accountId, address, "file", hash);

/** Id of the folder for links saved for later. */
export const laterFolderId = (accountId: string) => hashParts(accountId, "later");

export async function hashFile(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
