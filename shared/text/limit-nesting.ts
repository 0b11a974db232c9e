const MAX_MARKERS = 60;
const MARKERS = /^(?:[\s>*+-]|\d{1,9}[.)])*/;

/** Markdown whose deeper nesting of lists and quotes is text, so that no file can overflow the parser's stack. */
export const limitNesting = (text: string) =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => {
      const markers = MARKERS.exec(line)?.[0] ?? "";
      const isDeep = (markers.match(/[^\s\d]/g) ?? []).length > MAX_MARKERS;
      return isDeep && !/^[\s*-]*$/.test(line) ? line.slice(markers.length) : line;
    })
    .join("\n");
