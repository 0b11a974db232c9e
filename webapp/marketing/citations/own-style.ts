/** A style that the visitor opened as a file, for as long as the page is open. */
export interface OwnStyle {
  id: string;
  name: string;
  text: string;
}

export const MAX_STYLE_BYTES = 1_000_000;

/**
 * Reads a style of the Citation Style Language. `dependent`: a style that only names another one, as most journals of a
 * publisher have. https://docs.citationstyles.org/en/stable/specification.html#file-types
 */
export function readStyle(text: string): OwnStyle | "no_style" | "dependent" {
  const [, head] =
    /<style\b[^>]*\bxmlns="http:\/\/purl\.org\/net\/xbiblio\/csl"[^>]*>([\s\S]*?)<\/info>/.exec(text) ?? [];
  const name = /<title>([^<]+)<\/title>/.exec(head ?? "")?.[1]?.trim();
  if (head === undefined || name === undefined) return "no_style";
  if (!/<citation\b/.test(text)) return /rel="independent-parent"/.test(head) ? "dependent" : "no_style";
  return { id: `own:${name}`, name, text };
}
