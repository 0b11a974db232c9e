/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** A title as a file name without extension, without characters that some systems forbid. */
export const fileNameOf = (title: string): string => cutText(title.replaceAll(/[\\/:*?"<>|]+/g, " "), 120);
