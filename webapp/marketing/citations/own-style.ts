import type { StyleLanguage } from "./style-locale.ts";

/** A style that the visitor found by name or opened as a file. It is not stored. */
export interface OwnStyle {
  id: string;
  name: string;
  text: string;
  language: StyleLanguage | "de-DE";
}

export const MAX_STYLE_BYTES = 1_000_000;

/** The language that a style is written for. */
export function languageOf(text: string): OwnStyle["language"] {
  const code = /<style\b[^>]*\bdefault-locale="([^"]+)"/.exec(text)?.[1] ?? "";
  if (code.startsWith("de")) return "de-DE";
  return code === "en-GB" ? "en-GB" : "en-US";
}

/**
 * Reads a style of the Citation Style Language. "dependent" means that the style only refers to another style, as those
 * of most journals do. https://docs.citationstyles.org/en/stable/specification.html#file-types
 */
export function readStyle(text: string): OwnStyle | "no_style" | "dependent" {
  const [, head] =
    /<style\b[^>]*\bxmlns="http:\/\/purl\.org\/net\/xbiblio\/csl"[^>]*>([\s\S]*?)<\/info>/.exec(text) ?? [];
  const name = /<title>([^<]+)<\/title>/.exec(head ?? "")?.[1]?.trim();
  if (head === undefined || name === undefined) return "no_style";
  if (!/<citation\b/.test(text)) return /rel="independent-parent"/.test(head) ? "dependent" : "no_style";
  return { id: `own:${name}`, name, text, language: languageOf(text) };
}
