import MiniSearch from "minisearch";

export interface FoundArticle {
  path: string;
  title: string;
  /** What the article is about, in one sentence. */
  about: string;
}

interface Article extends FoundArticle {
  text: string;
}

const MAX_SHOWN = 12;

/** A search over all articles in a language, by their words; rejects if they cannot be loaded. */
export async function loadHelpSearch(address: string): Promise<(query: string) => FoundArticle[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The help could not be loaded: ${response.status}`);
  const articles = (await response.json()) as Article[];
  const index = new MiniSearch<Article>({
    idField: "path",
    fields: ["title", "about", "text"],
    storeFields: ["title", "about"],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
  });
  index.addAll(articles);
  return (query) =>
    index
      .search(query)
      .slice(0, MAX_SHOWN)
      .map((hit) => ({ path: String(hit.id), title: String(hit["title"]), about: String(hit["about"]) }));
}
