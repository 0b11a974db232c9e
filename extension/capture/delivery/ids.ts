/** Names that follow from what they name, so that the same page has one place in the library, whoever sends it when. */
async function nameOf(...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(parts.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface PlaceIds {
  pageId: string;
  /** The line that says where the page is from. */
  headId: string;
  deckId: string;
  /** The video of this address. */
  videoId: string;
}

export async function placeIds(accountId: string, address: string): Promise<PlaceIds> {
  const [pageId, headId, deckId, videoId] = await Promise.all(
    ["page", "head", "deck", "video"].map((what) => nameOf(accountId, address, what)),
  );
  return { pageId: pageId ?? "", headId: headId ?? "", deckId: deckId ?? "", videoId: videoId ?? "" };
}

/** Names for the blocks of a note: the same text again is the same note. */
export async function noteName(accountId: string, address: string, content: string): Promise<string> {
  return (await nameOf(accountId, address, "note", content)).slice(0, 24);
}

/** The component of a file: the same bytes from the same address are the same component, others are another. */
export const fileComponentId = (accountId: string, address: string, hash: string) =>
  nameOf(accountId, address, "file", hash);

/** Where links for later lie together. */
export const laterFolderId = (accountId: string) => nameOf(accountId, "later");

export async function hashOf(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
