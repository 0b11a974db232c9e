// Runs in a page of a real browser: the extension's own reading of articles, and the words that came of it.
import { readArticle } from "#extension/capture/article.ts";
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

Object.assign(globalThis, {
  readWords: async (html: string, address: string) => {
    const { blocks, isDoubtful } = await readArticle(html, address);
    return { text: blocks.map(wordsOf).join("\n"), isDoubtful };
  },
});
