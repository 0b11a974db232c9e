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
  /** A PDF or a video of this address. */
  fileId: string;
}

export async function placeIds(accountId: string, address: string): Promise<PlaceIds> {
  const [pageId, headId, deckId, fileId] = await Promise.all(
    ["page", "head", "deck", "file"].map((what) => nameOf(accountId, address, what)),
  );
  return { pageId: pageId ?? "", headId: headId ?? "", deckId: deckId ?? "", fileId: fileId ?? "" };
}

/** Names for the blocks of a note: the same text again is the same note. */
export async function noteName(accountId: string, address: string, content: string): Promise<string> {
  return (await nameOf(accountId, address, "note", content)).slice(0, 24);
}
