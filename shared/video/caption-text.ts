const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "\u200E",
  rlm: "\u200F",
};

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\uFFFD";
}

/** Decodes HTML entities; unknown entities stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
    if (typeof hex === "string") return characterOf(Number.parseInt(hex, 16));
    if (typeof decimal === "string") return characterOf(Number(decimal));
    return NAMED_ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}

/** Voice, style and timestamp tags of WebVTT, SubRip and programs that extend them. */
const CAPTION_TAGS = /<\/?[a-z][^<>]*>|<\/?\d[\d:.]*>|\{\\[^{}]*\}/gi;

/** The content of these tags is not speech. */
const NON_SPEECH = /<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** A caption's text without markup. The result is plain text and must only be shown as text. */
export function plainCaption(text: string): string {
  return decodeEntities(
    text
      .replaceAll(NON_SPEECH, " ")
      .replaceAll(/<br\s*\/?>/gi, " ")
      .replaceAll(CAPTION_TAGS, ""),
  )
    .replace(/\s+/gu, " ")
    .trim();
}
