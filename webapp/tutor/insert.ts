import type { Token, Tokens } from "marked";
import { ulid } from "ulid";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import type { Block } from "#shared/pages/document.ts";
import type { Run, TextContent } from "#shared/pages/schema.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { readMarkdown } from "#shared/tutor/markdown.ts";
import { inWordsHere } from "#shared/tutor/own-words.ts";
import { placeHere } from "./parts/cited.tsx";

type SubType = TextContent["subType"];
type Attributes = NonNullable<Run["attributes"]>;

const inner = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : []);

/** Converts an answer to page components: text, code and equations, with a link for each citation. */
export function blocksOf({ text, citations }: Pick<Message, "text" | "citations">): Block[] {
  const linkOf = (n: number): Run[] => {
    const cited = citations.find((citation) => citation.n === n);
    const parsed = cited && parseCitation(cited.citation);
    const target = parsed && citationAddress(parsed);
    if (!cited || target === undefined) return [];
    return [{ content: " " }, { content: placeHere(cited) || cited.title, reference: { kind: "link", target } }];
  };
  return readMarkdown(inWordsHere(text)).flatMap((token) => blocksOfToken(token, linkOf));
}

type LinkOf = (n: number) => Run[];

function textBlock(tokens: readonly Token[], subType: SubType, linkOf: LinkOf, indents = 0): Block {
  const content = { text: runsOf(tokens, {}, linkOf), subType, metadata: { indents, highlightColor: null } };
  return { _id: ulid(), type: "text", content };
}

function blocksOfToken(token: Token, linkOf: LinkOf): Block[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "hr":
      return [{ _id: ulid(), type: "divider", content: {} }];
    case "table":
      return tableBlocks(token as Tokens.Table, linkOf);
    case "heading":
      return [textBlock(inner(token), "heading_3", linkOf)];
    case "code":
      return [codeBlock(token as Tokens.Code)];
    case "list":
      return listBlocks(token as Tokens.List, linkOf, 0);
    case "blockquote":
      return inner(token).map((each) => textBlock(inner(each), "block_quote", linkOf));
    default:
      return paragraphBlocks(token, linkOf);
  }
}

const MAX_LANGUAGE = 40;

function codeBlock({ text: code, lang = "" }: Tokens.Code): Block {
  const language = lang.trim().split(/\s/)[0]?.slice(0, MAX_LANGUAGE) ?? "";
  return { _id: ulid(), type: "code_block", content: { code, language } };
}

/** Pages have no tables: each row becomes a line, the header in bold. */
function tableBlocks({ header, rows }: Tokens.Table, linkOf: LinkOf): Block[] {
  return [header, ...rows].map((row, at) => {
    const cells = row.flatMap(({ tokens }, n) => [
      ...(n === 0 ? [] : [{ content: " | " }]),
      ...runsOf(tokens, at === 0 ? { bold: true } : {}, linkOf),
    ]);
    return { _id: ulid(), type: "text", content: { text: cells, subType: "normal", metadata: plainLine } };
  });
}

const plainLine = { indents: 0, highlightColor: null };

function paragraphBlocks(token: Token, linkOf: LinkOf): Block[] {
  const [only, ...rest] = inner(token);
  if (only?.type === "maths" && rest.length === 0)
    return [{ _id: ulid(), type: "equation", content: { latex: String(only["latex"]) } }];
  return [textBlock(inner(token).length > 0 ? inner(token) : [token], "normal", linkOf)];
}

function listBlocks(list: Tokens.List, linkOf: LinkOf, indents: number): Block[] {
  const subType = list.ordered ? "list_ordered" : "list_unordered";
  return list.items.flatMap((item) => {
    const own = item.tokens.filter((token) => token.type !== "list");
    const nested = item.tokens.filter((token) => token.type === "list");
    return [
      textBlock(
        own.flatMap((token) => (inner(token).length > 0 ? inner(token) : [token])),
        subType,
        linkOf,
        indents,
      ),
      ...nested.flatMap((token) => listBlocks(token as Tokens.List, linkOf, indents + 1)),
    ];
  });
}

const flags: Partial<Record<string, Attributes>> = {
  strong: { bold: true },
  em: { italic: true },
  del: { strikethrough: true },
};

function runsOf(tokens: readonly Token[], attributes: Attributes, linkOf: LinkOf): Run[] {
  return tokens.flatMap((token): Run[] => {
    if (token.type === "citation") return linkOf(Number(token["n"]));
    if (token.type === "codespan")
      return [{ content: (token as Tokens.Codespan).text, attributes: { ...attributes, inline_code: true } }];
    if (token.type === "link") return linkRuns(token as Tokens.Link, attributes, linkOf);
    if (token.type === "br") return [{ content: "\n" }];
    if (inner(token).length > 0) return runsOf(inner(token), { ...attributes, ...flags[token.type] }, linkOf);
    const content = "text" in token && typeof token.text === "string" ? token.text : token.raw;
    return [{ content, ...(Object.keys(attributes).length > 0 && { attributes }) }];
  });
}

/** Models may invent links, so the address is shown as text. */
function linkRuns({ tokens, href, text }: Tokens.Link, attributes: Attributes, linkOf: LinkOf): Run[] {
  const words = runsOf(tokens, attributes, linkOf);
  return href === text ? words : [...words, { content: ` (${href})` }];
}
