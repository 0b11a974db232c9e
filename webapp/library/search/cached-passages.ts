import { flashcardCitation, pageCitation } from "#shared/citations.ts";
import type { SearchHit } from "#shared/library/contract.ts";
import type { SearchQuery } from "#shared/library/search-query.ts";
import { idsInFolders } from "#shared/library/rules.ts";
import type { Folder } from "#shared/library/schema.ts";
import { scoreFolded, foldTitle } from "#shared/library/title-matching.ts";
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

/** Creates the same filter that the server applies to its sources. */
function createFilter({ kind, folder, after, before }: SearchQuery, folders: readonly Folder[]) {
  const folderItemIds = folder === undefined ? undefined : idsInFolders(folders, folder);
  return (pageId: string, { _id, type, modifiedAt }: Component) =>
    (kind === undefined || kind === (type === "flash_cards" ? "deck" : "page")) &&
    (folderItemIds === undefined || folderItemIds.has(pageId) || folderItemIds.has(_id)) &&
    (after === undefined || modifiedAt >= after) &&
    (before === undefined || modifiedAt < before);
}

/** Searches the cached pages when the server cannot be used. Every word must match. */
export async function searchCachedPages(
  accountId: string,
  query: SearchQuery,
  folders: readonly Folder[],
): Promise<SearchHit[]> {
  const foldedQuery = foldTitle(query.words);
  const isWanted = createFilter(query, folders);
  const found: SearchHit[] = [];
  for (const { page, components } of await listCachedPages(accountId)) {
    if (!page || page.archived) continue;
    for (const component of components.filter((candidate) => isWanted(page._id, candidate)))
      for (const passage of extractPassages(page._id, component)) {
        if (scoreFolded(foldedQuery, foldTitle(passage.text)) === 0) continue;
        const title = component.type === "flash_cards" ? component.content.title : page.title;
        found.push({ ...passage, sourceId: component._id, title, pageId: page._id, componentId: component._id });
        if (found.length === MAX_RESULTS) return found;
      }
  }
  return found;
}
