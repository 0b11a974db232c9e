import { flashcardCitation, pageCitation } from "#shared/citations.ts";
import type { Found } from "#shared/library/contract.ts";
import { foldedFit, foldTitle } from "#shared/library/matching.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { listKeptPages } from "#shared/sync/local-store.ts";

const SHOWN = 30;
const QUOTE = 160;

interface Said {
  text: string;
  kind: "page" | "deck";
  citation: string;
  cardId?: string;
}

function saidIn(pageId: string, { _id, type, content }: Component): Said[] {
  if (type === "flash_cards")
    return content.cards.map(({ id, question, answer }) => {
      const text = `${question} ${answer}`;
      return { text, kind: "deck", cardId: id, citation: flashcardCitation(_id, question.slice(0, QUOTE)) };
    });
  const text = type === "text" ? plainText(content.text) : type === "code_block" ? content.code : "";
  return text.trim() === "" ? [] : [{ text, kind: "page", citation: pageCitation(pageId, _id, text.slice(0, QUOTE)) }];
}

/** Searches the cached pages, for offline use. Every word must match. */
export async function findKept(accountId: string, words: string): Promise<Found[]> {
  const typed = foldTitle(words);
  const found: Found[] = [];
  for (const { page, components } of await listKeptPages(accountId)) {
    if (!page || page.archived) continue;
    for (const component of components)
      for (const said of saidIn(page._id, component)) {
        if (foldedFit(typed, foldTitle(said.text)) === 0) continue;
        const title = component.type === "flash_cards" ? component.content.title : page.title;
        found.push({ ...said, sourceId: component._id, title, pageId: page._id, componentId: component._id });
        if (found.length === SHOWN) return found;
      }
  }
  return found;
}
