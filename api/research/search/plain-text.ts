import { parseHTML } from "linkedom";

/** The text of a fragment of HTML or JATS, without its markup. */
export function stripMarkup(fragment: string): string {
  if (!/[<&]/.test(fragment)) return fragment.replaceAll(/\s+/g, " ").trim();
  const { document } = parseHTML(
    `<html><body>${fragment.replaceAll(/<\/(?:p|jats:p|jats:title|title|sec|jats:sec)>/gi, " ")}</body></html>`,
  );
  return (document.body.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}
