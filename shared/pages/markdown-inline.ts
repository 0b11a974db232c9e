import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from "marked";
import { formulaAtStart } from "#shared/text/formulas.ts";
import { BoundedLexer, type ParseBudget, textBudget } from "./bounded-lexer.ts";
import { flatRuns, type FlatRun } from "./runs.ts";
import type { Run } from "./schema.ts";

/** `$x$` is kept unchanged, because signs inside a formula are not markup. */
export const formulaSyntax: TokenizerAndRendererExtension = {
  name: "formula",
  level: "inline",
  start: (text) => text.indexOf("$"),
  tokenizer(text) {
    const latex = formulaAtStart(text);
    return latex === undefined ? undefined : { type: "formula", raw: `$${latex}$`, text: `$${latex}$` };
  },
};
const inlineParser = new Marked({ gfm: true, extensions: [formulaSyntax] });

/** Inline Markdown as tokens, including formulas; all texts of a document share one budget. */
export const lexInline = (text: string, budget: ParseBudget = textBudget()): Token[] =>
  new BoundedLexer(inlineParser.defaults, budget).inlineTokens(text);

type RunStyle = Omit<FlatRun, "content">;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  copy: "©",
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

function characterOf(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}

const decodeEntities = (text: string) =>
  text.replaceAll(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)) ?? whole;
  });

/** Citation markers of AI assistants, which have no meaning outside their answer. */
const CITATION = /\s?[[<(【]?\b(?:pdf|web|flashcard|video|page)_citation:[^\s\])>】]+[\])>】]?/g;

export const removeCitationReferences = (text: string) => text.replaceAll(CITATION, "");

const TAGS: Readonly<Record<string, keyof NonNullable<Run["attributes"]>>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  del: "strikethrough",
  strike: "strikethrough",
  code: "inline_code",
};
const TAG = /^<(\/?)([a-z]+)(?:\s+style="color:\s*([#\w]{1,40})")?\s*\/?>$/i;

/** Markdown tokens that set a text attribute. */
const STYLE_TOKENS: Readonly<Record<string, keyof NonNullable<Run["attributes"]>>> = {
  strong: "bold",
  em: "italic",
  del: "strikethrough",
};

/** Deeper tags have no effect. */
const MAX_OPEN_TAGS = 50;

interface OpenTag {
  name: string;
  style: RunStyle;
}

/** Resolves a link between imported notes; undefined keeps the address. */
export type ResolveLink = (href: string) => { pageId: string } | "file" | undefined;

/** Parses inline tokens into runs, and tracks HTML tags that are open between tokens. Unknown tags are dropped. */
class InlineParser {
  readonly runs: Run[] = [];
  readonly #open: OpenTag[] = [];
  readonly #resolve: ResolveLink | undefined;

  constructor(resolve: ResolveLink | undefined) {
    this.#resolve = resolve;
  }

  read(tokens: readonly Token[], outer: RunStyle = {}): void {
    for (const token of tokens) this.#readToken(token, outer);
  }

  #readToken(token: Tokens.Generic, outer: RunStyle): void {
    const style = STYLE_TOKENS[token.type];
    if (style) return this.read(token.tokens ?? [], { ...outer, attributes: { ...outer.attributes, [style]: true } });
    if (token.type === "link")
      return this.read(token.tokens ?? [], { ...outer, ...this.#referenceTo(String(token["href"] ?? "")) });
    return this.#readLeaf(token, outer, this.#styleWithin(outer));
  }

  #readLeaf(token: Tokens.Generic, outer: RunStyle, style: RunStyle): void {
    const text = String(token["text"] ?? "");
    switch (token.type) {
      case "codespan":
        return this.#pushRun(text, { ...style, attributes: { ...style.attributes, inline_code: true } });
      case "br":
        return this.#pushRun("\n", style);
      case "html":
        return this.#readTag(token.raw, style);
      case "checkbox":
        return undefined;
      case "image":
        return this.#pushRun(text, { ...style, ...this.#referenceTo(String(token["href"])) });
      case "escape":
      case "formula":
        return this.#pushRun(text, style);
      default:
        return token.tokens ? this.read(token.tokens, outer) : this.#readWords(token, style);
    }
  }

  #readWords(token: Tokens.Generic, style: RunStyle): void {
    // A soft line break is a space, as browsers render it.
    this.#pushRun(decodeEntities(String(token["text"] ?? token.raw)).replaceAll(/ *\n */g, " "), style);
  }

  #referenceTo(href: string): Pick<FlatRun, "reference"> {
    const found = this.#resolve?.(href);
    if (found === "file") return {};
    return found ? { reference: { kind: "page_tag", target: found.pageId } } : referenceTo(href);
  }

  #pushRun(content: string, style: RunStyle): void {
    if (content !== "") this.runs.push({ content, ...style });
  }

  #styleWithin(outer: RunStyle): RunStyle {
    return this.#open.reduce<RunStyle>(
      (all, { style }) => ({ ...all, ...style, attributes: { ...all.attributes, ...style.attributes } }),
      outer,
    );
  }

  #readTag(raw: string, style: RunStyle): void {
    const [, slash, name = "", color] = TAG.exec(raw) ?? [];
    const tagName = name.toLowerCase();
    if (tagName === "br") return this.#pushRun("\n", style);
    if (slash === "/") {
      const at = this.#open.findLastIndex((open) => open.name === tagName);
      if (at >= 0) this.#open.splice(at, 1);
      return undefined;
    }
    if (this.#open.length >= MAX_OPEN_TAGS) return undefined;
    const attribute = TAGS[tagName];
    if (attribute) this.#open.push({ name: tagName, style: { attributes: { [attribute]: true } } });
    else if (tagName === "span")
      this.#open.push({ name: tagName, style: color === undefined ? {} : { attributes: { color } } });
    return undefined;
  }
}

const OWN_LINK = /^lamplight:(page_tag|flashcard_tag|pdf_tag)\/([^\s/]{1,64})$/;
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/))/i;
const MAX_TARGET = 4000;

/** A link whose address may not be opened keeps its text and loses the link. */
function referenceTo(href: string): Pick<FlatRun, "reference"> {
  const [, kind, target] = OWN_LINK.exec(href) ?? [];
  if (kind !== undefined && target !== undefined)
    return { reference: { kind: kind as "page_tag", target: decodeURIComponent(target) } };
  return ADDRESS.test(href) && href.length <= MAX_TARGET ? { reference: { kind: "link", target: href } } : {};
}

const isSpace = ({ content }: FlatRun) => /^[ \t\n]*$/.test(content);

/** Without spaces, tabs and line breaks at its end. A regular expression would read a run of them again from each. */
function trimSpacesAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\n".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Trims white space at both ends, including whole runs of white space, such as code of one space. */
function trimRuns(runs: readonly FlatRun[]): FlatRun[] {
  const trimmed = runs.map((run) => ({ ...run }));
  while (trimmed[0] && isSpace(trimmed[0])) trimmed.shift();
  for (let last = trimmed.at(-1); last && isSpace(last); last = trimmed.at(-1)) trimmed.pop();
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  if (first) first.content = first.content.replace(/^[ \t\n]+/, "");
  if (last) last.content = trimSpacesAtEnd(last.content);
  return trimmed.filter(({ content }) => content !== "");
}

/** Inline tokens as runs, without citation markers and surrounding white space. */
export function parseInline(tokens: readonly Token[], resolve?: ResolveLink): Run[] {
  const reader = new InlineParser(resolve);
  reader.read(tokens);
  const cleaned = reader.runs.map((run) =>
    typeof run.content === "string" ? { ...run, content: removeCitationReferences(run.content) } : run,
  );
  return trimRuns(flatRuns(cleaned));
}
