import { useEffect, useState } from "react";
import type { Citation } from "#shared/citations.ts";
import { containsQuote } from "#shared/pages/quote-matching.ts";
import { componentText } from "#shared/pages/text-diff.ts";
import { findCachedPage } from "#webapp/offline/sync.ts";

/** The text of the cached page; undefined if the page is not cached. */
async function readPageText(pageId: string): Promise<string | undefined> {
  const state = await findCachedPage(pageId);
  if (!state?.page) return undefined;
  const texts = state.components.filter(({ type }) => type === "text");
  return texts.map(({ content }) => componentText(content as Readonly<Record<string, unknown>>)).join("\n");
}

/** Whether the text that a card cites no longer exists on the student's page. False if the page is not cached. */
export function useSourceChanged(citation: Citation): boolean {
  const [changed, setChanged] = useState<string | null>(null);
  const pageId = citation.type === "page_citation" && citation.componentId === citation.pageId ? citation.pageId : "";
  const quote = citation.quote ?? "";
  useEffect(() => {
    if (pageId === "" || quote === "") return undefined;
    let isCancelled = false;
    const check = async () => {
      const text = await readPageText(pageId);
      if (!isCancelled) setChanged(text !== undefined && !containsQuote(text, quote) ? quote : null);
    };
    void check();
    return () => {
      isCancelled = true;
    };
  }, [pageId, quote]);
  return changed === quote && quote !== "";
}
