import { z } from "zod";
import { MAX_AUTHORS, toFieldText, toNameLine } from "./field-text.ts";

const MAX_BLOCKS = 10;
const MAX_BLOCK_CHARS = 100_000;

const Party = z.object({ "@type": z.unknown(), name: z.string() });
const oneOrMany = <T extends z.ZodType>(schema: T) =>
  z
    .union([z.array(schema), schema.transform((one) => [one])])
    .optional()
    .catch(undefined);

/** The fields of schema.org's `Article` that a citation needs (https://schema.org/Article). */
const Article = z.object({
  "@type": z.union([z.string(), z.array(z.string())]).transform(String),
  headline: z.string(),
  datePublished: z.string().optional().catch(undefined),
  author: oneOrMany(z.union([Party, z.string()])),
  publisher: Party.optional().catch(undefined),
});

export interface LinkedData {
  title?: string;
  authors?: string[];
  date?: string | undefined;
  publisher?: string | undefined;
  isNews: boolean;
}

function parse(text: string): unknown[] {
  try {
    const value = JSON.parse(text) as unknown;
    const graph = z.object({ "@graph": z.array(z.unknown()) }).safeParse(value).data?.["@graph"];
    return graph ?? (Array.isArray(value) ? (value as unknown[]) : [value]);
  } catch {
    return [];
  }
}

const toLine = (author: z.output<typeof Party> | string) => {
  if (typeof author === "string") return toNameLine(author);
  return author["@type"] === "Person" ? toNameLine(author.name) : toFieldText(author.name);
};

/** The first article in a page's JSON-LD. */
export function readLinkedData(html: string): LinkedData {
  const blocks = html.split(/<script[^>]{0,300}application\/ld\+json[^>]{0,300}>/i).slice(1, MAX_BLOCKS + 1);
  const article = blocks
    .flatMap((block) => parse((block.split(/<\/script/i)[0] ?? "").slice(0, MAX_BLOCK_CHARS)))
    .map((value) => Article.safeParse(value).data)
    .find((value) => value !== undefined);
  if (!article) return { isNews: false };
  return {
    title: toFieldText(article.headline),
    ...(article.author && { authors: article.author.slice(0, MAX_AUTHORS).map(toLine) }),
    date: article.datePublished,
    publisher: article.publisher && toFieldText(article.publisher.name),
    isNews: article["@type"].includes("NewsArticle"),
  };
}
