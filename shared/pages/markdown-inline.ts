import type { Token, Tokens } from "marked";
import { flatRuns, type FlatRun } from "./runs.ts";
import type { Run } from "./schema.ts";

type Held = Omit<FlatRun, "content">;

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

/** Citation markers of AI assistants: they mean nothing outside their answer. */
const CITATION = /\s?[[<(【]?\b(?:pdf|web|flashcard|video|page)_citation:[^\s\])>】]+[\])>】]?/g;

export const withoutCitations = (text: string) => text.replaceAll(CITATION, "");

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
const MARKS: Readonly<Record<string, keyof NonNullable<Run["attributes"]>>> = {
  strong: "bold",
  em: "italic",
  del: "strikethrough",
};

interface OpenTag {
  name: string;
  held: Held;
}

/** Resolves a link between imported notes; undefined keeps the address. */
export type ResolveLink = (href: string) => { pageId: string } | "file" | undefined;

/** Tracks HTML tags that are opened and closed between inline tokens; unknown tags are dropped. */
class InlineReader {
  readonly runs: Run[] = [];
  readonly #open: OpenTag[] = [];
  readonly #resolve: ResolveLink | undefined;

  constructor(resolve: ResolveLink | undefined) {
    this.#resolve = resolve;
  }

  read(tokens: readonly Token[], outer: Held = {}): void {
    for (const token of tokens) this.#one(token, outer);
  }

  #one(token: Tokens.Generic, outer: Held): void {
    const mark = MARKS[token.type];
    if (mark) return this.read(token.tokens ?? [], { ...outer, attributes: { ...outer.attributes, [mark]: true } });
    if (token.type === "link")
      return this.read(token.tokens ?? [], { ...outer, ...this.#referenceTo(String(token["href"] ?? "")) });
    return this.#leaf(token, outer, this.#within(outer));
  }

  #leaf(token: Tokens.Generic, outer: Held, held: Held): void {
    const text = String(token["text"] ?? "");
    switch (token.type) {
      case "codespan":
        return this.#say(text, { ...held, attributes: { ...held.attributes, inline_code: true } });
      case "br":
        return this.#say("\n", held);
      case "html":
        return this.#tag(token.raw, held);
      case "checkbox":
        return undefined;
      case "image":
        return this.#say(text, { ...held, ...this.#referenceTo(String(token["href"])) });
      case "escape":
        return this.#say(text, held);
      default:
        return token.tokens ? this.read(token.tokens, outer) : this.#words(token, held);
    }
  }

  #words(token: Tokens.Generic, held: Held): void {
    // A soft line break is a space, as browsers render it.
    this.#say(decodeEntities(String(token["text"] ?? token.raw)).replaceAll(/ *\n */g, " "), held);
  }

  #referenceTo(href: string): Pick<FlatRun, "reference"> {
    const found = this.#resolve?.(href);
    if (found === "file") return {};
    return found ? { reference: { kind: "page_tag", target: found.pageId } } : referenceTo(href);
  }

  #say(content: string, held: Held): void {
    if (content !== "") this.runs.push({ content, ...held });
  }

  #within(outer: Held): Held {
    return this.#open.reduce<Held>(
      (all, { held }) => ({ ...all, ...held, attributes: { ...all.attributes, ...held.attributes } }),
      outer,
    );
  }

  #tag(raw: string, held: Held): void {
    const [, slash, name = "", color] = TAG.exec(raw) ?? [];
    const tag = name.toLowerCase();
    if (tag === "br") return this.#say("\n", held);
    if (slash === "/") {
      const at = this.#open.findLastIndex((open) => open.name === tag);
      if (at >= 0) this.#open.splice(at, 1);
      return undefined;
    }
    const attribute = TAGS[tag];
    if (attribute) this.#open.push({ name: tag, held: { attributes: { [attribute]: true } } });
    else if (tag === "span") this.#open.push({ name: tag, held: color === undefined ? {} : { attributes: { color } } });
    return undefined;
  }
}

const OWN = /^lamplight:(page_tag|flashcard_tag|pdf_tag)\/([^\s/]{1,64})$/;
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/))/i;
const MAX_TARGET = 4000;

/** A link whose address may not be opened keeps its text and loses the link. */
function referenceTo(href: string): Pick<FlatRun, "reference"> {
  const [, kind, target] = OWN.exec(href) ?? [];
  if (kind !== undefined && target !== undefined)
    return { reference: { kind: kind as "page_tag", target: decodeURIComponent(target) } };
  return ADDRESS.test(href) && href.length <= MAX_TARGET ? { reference: { kind: "link", target: href } } : {};
}

const isSpace = ({ content }: FlatRun) => /^[ \t\n]*$/.test(content);

/** Also handles runs of only white space at either end, such as code of one space. */
function trimmed(runs: readonly FlatRun[]): FlatRun[] {
  const kept = runs.map((run) => ({ ...run }));
  while (kept[0] && isSpace(kept[0])) kept.shift();
  for (let last = kept.at(-1); last && isSpace(last); last = kept.at(-1)) kept.pop();
  const [first, last] = [kept[0], kept.at(-1)];
  if (first) first.content = first.content.replace(/^[ \t\n]+/, "");
  if (last) last.content = last.content.replace(/[ \t\n]+$/, "");
  return kept.filter(({ content }) => content !== "");
}

/** Inline tokens as runs, without citation markers and surrounding white space. */
export function readInline(tokens: readonly Token[], resolve?: ResolveLink): Run[] {
  const reader = new InlineReader(resolve);
  reader.read(tokens);
  const cleaned = reader.runs.map((run) =>
    typeof run.content === "string" ? { ...run, content: withoutCitations(run.content) } : run,
  );
  return trimmed(flatRuns(cleaned));
}
