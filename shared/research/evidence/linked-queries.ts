import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";

interface FoundText {
  text: string;
  heading: string | undefined;
}

/** A query about a name in a found passage, with the words of the question that the passage does not answer. */
interface LinkedQuery {
  query: string;
  /** Terms of the name; a result must contain them. */
  nameTerms: readonly string[];
}

const MAX_NAMES = 6;
const NAME = /\p{Lu}[\p{L}\p{N}’'-]*(?:\s+(?:(?:of|the|de|von|van|der)\s+)*\p{Lu}[\p{L}\p{N}’'-]*)*/gu;

/** The names in a passage, beginning with its heading. */
const listNames = ({ text, heading = "" }: FoundText): string[] => [
  heading.replaceAll(/\(.*?\)/g, " ").trim(),
  ...[...text.matchAll(NAME)].map(([name]) => name),
];

/** Further queries for a question whose answer needs two texts: the first text names the subject of the second. */
export function linkedQueries(question: string, found: FoundText): LinkedQuery[] {
  const questionTerms = new Set(searchTerms(contentQuery(question)));
  const foundTerms = new Set(searchTerms(`${found.heading ?? ""} ${found.text}`));
  const openWords = wordsOf(contentQuery(question)).filter(
    (word) => !isStopWord(word) && searchTerms(word).some((term) => !foundTerms.has(term)),
  );
  const names = new Map<string, LinkedQuery>();
  for (const name of listNames(found)) {
    const nameTerms = [...new Set(searchTerms(name))];
    const key = nameTerms.toSorted().join(" ");
    if (names.size >= MAX_NAMES || names.has(key) || nameTerms.every((term) => questionTerms.has(term))) continue;
    names.set(key, { query: [...new Set(openWords), name].join(" "), nameTerms });
  }
  return [...names.values()];
}
