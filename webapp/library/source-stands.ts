import { useEffect, useState } from "react";
import type { Citation } from "#shared/citations.ts";
import { holdsQuote } from "#shared/pages/quoting.ts";
import { wordsOf } from "#shared/pages/words.ts";
import { cachedPage } from "#webapp/offline/sync.ts";

/** The text of the cached page; undefined if the page is not cached. */
async function wordsOfPage(pageId: string): Promise<string | undefined> {
  const state = await cachedPage(pageId);
  if (!state?.page) return undefined;
  const texts = state.components.filter(({ type }) => type === "text");
  return texts.map(({ content }) => wordsOf(content as Readonly<Record<string, unknown>>)).join("\n");
}

/** Whether a card's source text, on one of the student's own pages, no longer exists. */
export function useHasChanged(citation: Citation): boolean {
  const [changed, setChanged] = useState<string | null>(null);
  const pageId = citation.type === "page_citation" && citation.componentId === citation.pageId ? citation.pageId : "";
  const quote = citation.quote ?? "";
  useEffect(() => {
    if (pageId === "" || quote === "") return undefined;
    let isOver = false;
    const look = async () => {
      const words = await wordsOfPage(pageId);
      if (!isOver) setChanged(words !== undefined && !holdsQuote(words, quote) ? quote : null);
    };
    void look();
    return () => {
      isOver = true;
    };
  }, [pageId, quote]);
  return changed === quote && quote !== "";
}
