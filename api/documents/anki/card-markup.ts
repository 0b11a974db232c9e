import { replaceBetween } from "#shared/pages/strip-html.ts";

const BLOCK_ELEMENTS = /^(?:br|div|p|li|tr|h[1-6]|ul|ol|table|blockquote|pre|section|hr)$/;
/** Elements without readable text. */
const SKIPPED_ELEMENTS =
  /<(script|style|template|iframe|object|noscript|head|title)\b[^>]*(?:>[\s\S]*?(?:<\/\1\s*>|$)|$)/gi;

const namedEntities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  rarr: "→",
  larr: "←",
  times: "×",
  deg: "°",
  micro: "µ",
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  le: "≤",
  ge: "≥",
};

function decode(entity: string, body: string): string {
  if (!body.startsWith("#")) return namedEntities[body.toLowerCase()] ?? entity;
  const code = body[1]?.toLowerCase() === "x" ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "";
}

const readAttribute = (tag: string, name: string) => {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(tag);
  return found ? (found[1] ?? found[2] ?? found[3] ?? "") : "";
};

/** How text refers to media until they are stored; the encoded name cannot end the link early. */
export const mediaReference = (name: string, alt = "") =>
  `![${alt.replaceAll(/[[\]\n]/g, " ")}](anki:${encodeURIComponent(name.toWellFormed()).replaceAll("(", "%28").replaceAll(")", "%29")})`;

export const decodeName = (address: string) => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

const SOUND = /\[sound:([^\]\n]{1,300})\]/g;
const LATEX_TAG = /\[(\/?)latex\]/gi;

/** The delimiters of formulas in Anki, our delimiter, and a function that cleans the formula. */
const FORMULAS: readonly (readonly [start: string, end: string, delimiter: string, clean: (tex: string) => string])[] =
  [
    ["[latex]", "[/latex]", "$$", (tex) => tex.replaceAll("$", "")],
    ["[$$]", "[/$$]", "$$", (tex) => tex],
    ["[$]", "[/$]", "$", (tex) => tex],
    [String.raw`\(`, String.raw`\)`, "$", (tex) => tex.trim()],
    [String.raw`\[`, String.raw`\]`, "$$", (tex) => tex.trim()],
  ];

const rewriteFormulas = (markup: string) =>
  FORMULAS.reduce(
    (text, [start, end, delimiter, clean]) =>
      replaceBetween(text, [start, end], (tex) => `${delimiter}${clean(tex)}${delimiter}`),
    markup.replaceAll(LATEX_TAG, "[$1latex]"),
  );

const TAG_START = /<\s{0,9}(\/?)\s{0,9}([a-zA-Z][a-zA-Z0-9]*)/g;
/** The rest of a tag: a quoted value may contain ">". */
const TAG_REST = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;
const REST_WITHOUT_QUOTES = /[^<>]*>/y;

/** Where a match of the pattern ends that begins at `start`; undefined if there is none. */
function findEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/**
 * Replaces tags. After a tag with an unclosed quote, quotes are ignored, because each further tag would search the rest
 * of the text for the end of its quote.
 */
function replaceTags(markup: string, replace: (tag: string, name: string, isClosing: boolean) => string): string {
  const parts: string[] = [];
  let done = 0;
  let areQuotesRead = true;
  for (const { index, 0: start, 1: slash, 2: name = "" } of markup.matchAll(TAG_START)) {
    if (index < done) continue;
    const restAt = index + start.length;
    const quoted: number | undefined = areQuotesRead ? findEnd(TAG_REST, markup, restAt) : undefined;
    areQuotesRead &&= quoted !== undefined;
    const end = quoted ?? findEnd(REST_WITHOUT_QUOTES, markup, restAt);
    if (end === undefined) continue;
    parts.push(markup.slice(done, index), replace(markup.slice(index, end), name.toLowerCase(), slash !== ""));
    done = end;
  }
  return [...parts, markup.slice(done)].join("");
}

/** The text, images, sounds and formulas of a card's HTML; removes everything executable. */
export function plainText(markup: string): string {
  const readable = markup
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(SKIPPED_ELEMENTS, "")
    .replaceAll(SOUND, (_, name: string) => ` ${mediaReference(decodeEntities(name), "sound")} `);
  // Line breaks in HTML source are not line breaks in the text.
  const text = replaceTags(rewriteFormulas(readable).replaceAll(/\r?\n/g, " "), tagText);
  return decodeEntities(text)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const decodeEntities = (value: string) =>
  value.replaceAll(/&(#?[a-zA-Z0-9]{1,10});/g, (entity, body: string) => decode(entity, body));

function tagText(tag: string, name: string, isClosing: boolean): string {
  if (name === "img") {
    const source = decodeName(decodeEntities(readAttribute(tag, "src")));
    // A remote image would be fetched whenever someone views the card.
    return source === "" || /^[a-z][a-z0-9+.-]*:/i.test(source)
      ? ""
      : mediaReference(source, decodeEntities(readAttribute(tag, "alt")));
  }
  if (name === "li" && !isClosing) return "\n- ";
  return BLOCK_ELEMENTS.test(name) ? "\n" : "";
}

/** Names of the media that a text refers to. */
export const listMedia = (text: string): string[] =>
  [...text.matchAll(/\]\(anki:([^)\s]+)\)/g)].map((match) => decodeName(match[1] ?? ""));

interface TemplateValues {
  fields: ReadonlyMap<string, string>;
  /** Shown where the answer template repeats the question. */
  frontSide: string;
  special: ReadonlyMap<string, string>;
  /** Rewrites the value of a cloze filter. */
  cloze: (text: string) => string;
}

const isBlank = (markup: string) => markup.replaceAll(/<(?!img|audio|video)[^<>]*>|&nbsp;|\s/gi, "") === "";
const MAX_PASSES = 12;

/**
 * Renders a card template with its fields, as in [Anki's manual](https://docs.ankiweb.net/templates/intro.html);
 * filters that only affect appearance are ignored.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const getValue = (name: string) => values.fields.get(name) ?? values.special.get(name) ?? "";
  let markup = replaceBetween(template, ["<!--", "-->"], () => "");
  const section = /\{\{([#^])([^{}]+)\}\}((?:(?!\{\{[#^])[\s\S])*?)\{\{\/\2\}\}/g;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = markup.replaceAll(section, (_, kind: string, name: string, inside: string) => {
      const hasValue = !isBlank(getValue(name.trim()));
      return (kind === "#") === hasValue ? inside : "";
    });
    if (next === markup) break;
    markup = next;
  }
  return markup.replaceAll(/\{\{([^{}]*)\}\}/g, (_, inside: string) => {
    const parts = inside.split(":").map((part) => part.trim());
    const name = parts.pop() ?? "";
    if (name === "FrontSide") return values.frontSide;
    const value = getValue(name);
    if (parts.includes("cloze")) return values.cloze(value);
    if (parts.includes("hint")) return "";
    return parts.includes("type") ? "" : value;
  });
}

const CLOZE = /\{\{c(\d{1,3})::((?:(?!\{\{c\d|\}\}).)*)\}\}/gs;

/** All cloze deletions of a text with their numbers, without hints. */
export function findClozes(text: string): { index: number; hidden: string }[] {
  return [...text.matchAll(CLOZE)].map((match) => ({
    index: Number(match[1]),
    hidden: (match[2] ?? "").split("::")[0] ?? "",
  }));
}

/** The text without its cloze deletions. */
export const removeClozes = (text: string): string => text.replaceAll(CLOZE, "");

/** The text with the deletions of one number blanked and all others shown. */
export function renderClozeQuestion(text: string, index: number): string {
  return text.replaceAll(CLOZE, (_, number: string, inside: string) => {
    const [hidden = "", hint] = inside.split("::");
    if (Number(number) !== index) return hidden;
    return hint === undefined ? "____" : `____ (${hint})`;
  });
}
