// Runs in a page of a real browser: reads articles with the extension's own code, and returns their words.
import { Readability } from "@mozilla/readability";
import Defuddle from "defuddle/full";
import { readArticle } from "#extension/capture/article/article.ts";
import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { plainText } from "#shared/pages/runs.ts";

function wordsOf(block: NewBlock): string {
  switch (block.type) {
    case "text":
      return plainText(block.content.text);
    case "code_block":
      return block.content.code;
    case "equation":
      return block.content.latex;
    case "file":
    case "divider":
    case "flash_cards":
      return "";
    default:
      return block satisfies never;
  }
}

/** The plain text of one page as each extractor reads it. */
export interface Readings {
  ours: string;
  isDoubtful: boolean;
  readability: string;
  defuddle: string;
}

/** Reads the page with the two extractors alone, as in their documentation. */
function readBare(html: string, address: string): Pick<Readings, "readability" | "defuddle"> {
  const parse = () => new DOMParser().parseFromString(html, "text/html");
  const defuddled = new Defuddle(parse(), { url: address, useAsync: false }).parse().content;
  return {
    readability: new Readability(parse()).parse()?.textContent ?? "",
    defuddle: new DOMParser().parseFromString(defuddled, "text/html").body.textContent,
  };
}

Object.assign(globalThis, {
  readAll: async (html: string, address: string): Promise<Readings> => {
    const { blocks, isDoubtful } = await readArticle(html, address);
    return { ours: blocks.map(wordsOf).join("\n"), isDoubtful, ...readBare(html, address) };
  },
  readWords: async (html: string, address: string) => {
    const { blocks, isDoubtful } = await readArticle(html, address);
    return { text: blocks.map(wordsOf).join("\n"), isDoubtful };
  },
});
