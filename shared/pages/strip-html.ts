/**
 * Replaces the text between two delimiters, and the delimiters. A regular expression would search for the end again
 * from each start, which takes hours for megabytes of starts, so this function reads the text once. Contents longer
 * than `maxChars` stay.
 */
export function replaceBetween(
  text: string,
  [start, end]: readonly [string, string],
  replace: (inside: string) => string,
  maxChars = Number.POSITIVE_INFINITY,
): string {
  const parts: string[] = [];
  let done = 0;
  let endAt = 0;
  let at = text.indexOf(start);
  while (at !== -1) {
    const inside = at + start.length;
    if (endAt < inside) endAt = text.indexOf(end, inside);
    if (endAt === -1) break;
    if (endAt - inside > maxChars) at = text.indexOf(start, inside);
    else {
      parts.push(text.slice(done, at), replace(text.slice(inside, endAt)));
      done = endAt + end.length;
      at = text.indexOf(start, done);
    }
  }
  return [...parts, text.slice(done)].join("");
}

const SCRIPT_TAG = /<(\/?)(script|style)\b/gi;

/** Removes scripts and style sheets with their contents. */
function removeScripts(html: string): string {
  const parts: string[] = [];
  let done = 0;
  let open: { name: string; at: number } | undefined;
  for (const { index, 1: slash, 2: tag = "" } of html.matchAll(SCRIPT_TAG)) {
    const name = tag.toLowerCase();
    if (open === undefined && slash === "") open = { name, at: index };
    else if (open?.name === name && slash === "/") {
      parts.push(html.slice(done, open.at));
      const end = html.indexOf(">", index);
      done = end === -1 ? html.length : end + 1;
      open = undefined;
    }
  }
  return [...parts, html.slice(done)].join("");
}

/** The text of HTML, without its markup. The time is linear in the length of any input. */
export function stripHtml(html: string): string {
  const text = removeScripts(replaceBetween(html, ["<!--", "-->"], () => "")).replaceAll(
    /<\/(?:p|div|li|h[1-6]|tr)>|<br\s*\/?>/gi,
    "\n",
  );
  return replaceBetween(text, ["<", ">"], () => "");
}
