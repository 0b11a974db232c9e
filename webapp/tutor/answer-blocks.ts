import type { Token, Tokens } from "marked";
import { ulid } from "ulid";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import type { Block } from "#shared/pages/document.ts";
import { writeInline } from "#shared/pages/markdown-write.ts";
import { tableContent } from "#shared/pages/tables.ts";
import type { Run, TextContent } from "#shared/pages/schema.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { parseAnswerMarkdown } from "#shared/tutor/markdown.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import { formatAnswerLocation } from "./parts/answer-citation-badge.tsx";

type SubType = TextContent["subType"];
type Attributes = NonNullable<Run["attributes"]>;

const childTokens = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : []);

/** Converts an answer to page components: text, code and equations, with a link for each citation. */
export function answerToBlocks({ text, parts, citations }: Pick<Message, "text" | "parts" | "citations">): Block[] {
  const citationRuns = (n: number): Run[] => {
    const cited = citations.find((citation) => citation.n === n);
    const parsed = cited && parseCitation(cited.citation);
    const target = parsed && citationAddress(parsed);
    if (!cited || target === undefined) return [];
    return [
      { content: " " },
      { content: formatAnswerLocation(cited) || cited.title, reference: { kind: "link", target } },
    ];
  };
  return parseAnswerMarkdown(translateAnswer({ text, parts })).flatMap((token) => tokenToBlocks(token, citationRuns));
}

type CitationRuns = (n: number) => Run[];

function createTextBlock(tokens: readonly Token[], subType: SubType, citationRuns: CitationRuns, indents = 0): Block {
  const content = { text: toRuns(tokens, {}, citationRuns), subType, metadata: { indents, highlightColor: null } };
  return { _id: ulid(), type: "text", content };
}

function tokenToBlocks(token: Token, citationRuns: CitationRuns): Block[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "hr":
      return [{ _id: ulid(), type: "divider", content: {} }];
    case "table":
      return [tableToBlock(token as Tokens.Table, citationRuns)];
    case "heading":
      return [createTextBlock(childTokens(token), "heading_3", citationRuns)];
    case "code":
      return [createCodeBlock(token as Tokens.Code)];
    case "list":
      return listToBlocks(token as Tokens.List, citationRuns, 0);
    case "blockquote":
      return childTokens(token).map((child) => createTextBlock(childTokens(child), "block_quote", citationRuns));
    default:
      return paragraphToBlocks(token, citationRuns);
  }
}

const MAX_LANGUAGE_LENGTH = 40;

function createCodeBlock({ text: code, lang = "" }: Tokens.Code): Block {
  const language = lang.trim().split(/\s/)[0]?.slice(0, MAX_LANGUAGE_LENGTH) ?? "";
  return { _id: ulid(), type: "code_block", content: { code, language } };
}

function tableToBlock({ header, rows }: Tokens.Table, citationRuns: CitationRuns): Block {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => writeInline(toRuns(tokens, {}, citationRuns))));
  return { _id: ulid(), type: "text", content: tableContent(cells) };
}

function paragraphToBlocks(token: Token, citationRuns: CitationRuns): Block[] {
  const [only, ...rest] = childTokens(token);
  if (only?.type === "maths" && rest.length === 0)
    return [{ _id: ulid(), type: "equation", content: { latex: String(only["latex"]) } }];
  return [createTextBlock(childTokens(token).length > 0 ? childTokens(token) : [token], "normal", citationRuns)];
}

function listToBlocks(list: Tokens.List, citationRuns: CitationRuns, indents: number): Block[] {
  const subType = list.ordered ? "list_ordered" : "list_unordered";
  return list.items.flatMap((item) => {
    const ownTokens = item.tokens.filter((token) => token.type !== "list");
    const nested = item.tokens.filter((token) => token.type === "list");
    return [
      createTextBlock(
        ownTokens.flatMap((token) => (childTokens(token).length > 0 ? childTokens(token) : [token])),
        subType,
        citationRuns,
        indents,
      ),
      ...nested.flatMap((token) => listToBlocks(token as Tokens.List, citationRuns, indents + 1)),
    ];
  });
}

const formatAttributes: Partial<Record<string, Attributes>> = {
  strong: { bold: true },
  em: { italic: true },
  del: { strikethrough: true },
};

function toRuns(tokens: readonly Token[], attributes: Attributes, citationRuns: CitationRuns): Run[] {
  return tokens.flatMap((token): Run[] => {
    if (token.type === "citation") return citationRuns(Number(token["n"]));
    if (token.type === "codespan")
      return [{ content: (token as Tokens.Codespan).text, attributes: { ...attributes, inline_code: true } }];
    if (token.type === "maths") return [{ content: `$${String(token["latex"])}$` }];
    if (token.type === "link") return linkToRuns(token as Tokens.Link, attributes, citationRuns);
    if (token.type === "br") return [{ content: "\n" }];
    if (childTokens(token).length > 0)
      return toRuns(childTokens(token), { ...attributes, ...formatAttributes[token.type] }, citationRuns);
    const content = "text" in token && typeof token.text === "string" ? token.text : token.raw;
    return [{ content, ...(Object.keys(attributes).length > 0 && { attributes }) }];
  });
}

/** Shows the address of a link as text, because models may invent links. */
function linkToRuns({ tokens, href, text }: Tokens.Link, attributes: Attributes, citationRuns: CitationRuns): Run[] {
  const words = toRuns(tokens, attributes, citationRuns);
  return href === text ? words : [...words, { content: ` (${href})` }];
}
