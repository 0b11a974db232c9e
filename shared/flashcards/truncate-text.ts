/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function truncateText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** A title as a file name without extension, without characters that some systems forbid. */
export const fileNameOf = (title: string): string => truncateText(title.replaceAll(/[\\/:*?"<>|]+/g, " "), 120);
