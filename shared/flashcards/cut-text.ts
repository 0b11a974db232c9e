/** The beginning of a text, at most so long; a letter of two halves is not cut between them. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** A title as the name of a file: without the signs that some systems refuse, its ending left out. */
export const fileNameOf = (title: string): string => cutText(title.replaceAll(/[\\/:*?"<>|]+/g, " "), 120);
