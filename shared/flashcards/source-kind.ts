/** Extensions of text files; browsers do not know the type of many. */
const TEXT_EXTENSIONS = /\.(?:txt|text|md|markdown|csv|tsv|tex|rst|org|srt|vtt)$/i;
/** Markup types that browsers report as text. */
const MARKUP_TYPES = /^text\/(?:html|xml|javascript|css)/;

/** The kind of a file that is not on a page: only texts and images are used without an upload. */
export function sourceKindOf(name: string, type: string): "text" | "image" | "other" {
  if (type.startsWith("image/")) return "image";
  if (MARKUP_TYPES.test(type)) return "other";
  return type.startsWith("text/") || TEXT_EXTENSIONS.test(name) ? "text" : "other";
}
