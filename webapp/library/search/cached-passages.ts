import { flashcardCitation, pageCitation } from "#shared/citations.ts";
import type { SearchHit } from "#shared/library/contract.ts";
import { foldedFit, foldTitle } from "#shared/library/title-matching.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { listCachedPages } from "#shared/sync/storage/local-store.ts";

const MAX_RESULTS = 30;
const MAX_QUOTE_LENGTH = 160;

interface CachedPassage {
  text: string;
  kind: "page" | "deck";
  citation: string;
  cardId?: string;
}

function extractPassages(pageId: string, { _id, type, content }: Component): CachedPassage[] {
  if (type === "flash_cards")
    return content.cards.map(({ id, question, answer }) => {
      const text = `${question} ${answer}`;
      return { text, kind: "deck", cardId: id, citation: flashcardCitation(_id, question.slice(0, MAX_QUOTE_LENGTH)) };
    });
  const text = type === "text" ? plainText(content.text) : type === "code_block" ? content.code : "";
  return text.trim() === ""
    ? []
    : [{ text, kind: "page", citation: pageCitation(pageId, _id, text.slice(0, MAX_QUOTE_LENGTH)) }];
}

/** Searches the cached pages, for offline use. Every word must match. */
export async function searchCachedPages(accountId: string, words: string): Promise<SearchHit[]> {
  const foldedQuery = foldTitle(words);
  const found: SearchHit[] = [];
  for (const { page, components } of await listCachedPages(accountId)) {
    if (!page || page.archived) continue;
    for (const component of components)
      for (const passage of extractPassages(page._id, component)) {
        if (foldedFit(foldedQuery, foldTitle(passage.text)) === 0) continue;
        const title = component.type === "flash_cards" ? component.content.title : page.title;
        found.push({ ...passage, sourceId: component._id, title, pageId: page._id, componentId: component._id });
        if (found.length === MAX_RESULTS) return found;
      }
  }
  return found;
}
