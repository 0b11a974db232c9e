/** Pseudo account under which an account's research results are indexed: they are found, but are never sources. */
export const canvasIndexOf = (ownerId: string) => `research:${ownerId}`;
