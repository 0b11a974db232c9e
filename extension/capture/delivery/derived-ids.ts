const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Ids are derived from content, so that a page that is captured twice is in the library once. */
async function hashParts(...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(parts.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return toHex(digest.subarray(0, 16));
}

export interface PageIds {
  pageId: string;
  /** The line that names the source of the page. */
  headId: string;
  deckId: string;
  videoId: string;
}

export async function derivePageIds(accountId: string, address: string): Promise<PageIds> {
  const [pageId, headId, deckId, videoId] = await Promise.all(
    ["page", "head", "deck", "video"].map((role) => hashParts(accountId, address, role)),
  );
  return { pageId: pageId ?? "", headId: headId ?? "", deckId: deckId ?? "", videoId: videoId ?? "" };
}

/** Prefix of the ids of a note's blocks, to which callers append the index: the same text gives the same ids. */
export async function deriveNoteIdPrefix(accountId: string, address: string, content: string): Promise<string> {
  return (await hashParts(accountId, address, "note", content)).slice(0, 24);
}

/** Id of a file component: the same bytes from the same address give the same id. */
export const deriveFileComponentId = (accountId: string, address: string, hash: string) =>
  hashParts(accountId, address, "file", hash);

/** Id of the folder for links saved for later. */
export const deriveLaterFolderId = (accountId: string) => hashParts(accountId, "later");

export async function hashFile(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return toHex(digest);
}
