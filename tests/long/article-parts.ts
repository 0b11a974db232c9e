// Runs in a page of a real browser: the extension's own reading of articles, and the words that came of it.
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

/** One page as each reads it, in plain words. */
export interface Readings {
  ours: string;
  isDoubtful: boolean;
  readability: string;
  defuddle: string;
}

/** As the two are used without us: a document of the page, and nothing else. */
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
