import { contentQuery, refersToWholeSource } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { AnswerScope as Chosen, Selection } from "#shared/tutor/schema.ts";
import { searchPassages } from "#api/library/embeddings.ts";
import { findIndexedSources, type IndexedSourcesDeps } from "#api/library/indexed-sources.ts";
import type { Source } from "#api/library/sources.ts";
import type { RetrievedPassage } from "./answer-builder.ts";

export interface RetrievalQuestion {
  text: string;
  selection: Selection | null;
  scope: Chosen;
  /** The student's previous question. */
  previousQuestion: string | undefined;
  /** If there are no search terms, read the latest sources: for a quiz about everything. */
  mayReadAnything: boolean;
}

export interface RetrievalResult {
  passages: RetrievedPassage[];
  /** All sources that this answer may use. */
  sources: Source[];
  unread: Source[];
}

/** How long an answer waits for sources to be indexed; later ones are available to the next answer. */
const INDEX_TIMEOUT_MS = 20_000;
const INDEX_ALL_TIMEOUT_MS = 5_000;
/** With this few content words, the previous question is searched for as well. */
const MAX_FEW_TERMS = 2;
const OVERVIEW_SOURCES = 4;
const OVERVIEW_PASSAGES = 90;

function buildSearchText({ text, selection, previousQuestion }: RetrievalQuestion): string {
  const content = contentQuery(text);
  const hasFewTerms = searchTerms(content).length <= MAX_FEW_TERMS;
  const isFollowUp = hasFewTerms && !selection && !refersToWholeSource(text);
  const earlier = isFollowUp && previousQuestion !== undefined ? contentQuery(previousQuestion) : "";
  return [content, selection?.text ?? "", earlier].join(" ").trim();
}

/** Retrieves passages for a question, best first; for a question about a whole source, its beginning. */
export async function retrievePassages(
  deps: IndexedSourcesDeps,
  question: RetrievalQuestion,
  limit: number,
): Promise<RetrievalResult> {
  const { scope } = question;
  const isChosen = scope.kind === "chosen";
  const timeoutMs = isChosen ? INDEX_TIMEOUT_MS : INDEX_ALL_TIMEOUT_MS;
  const { sources, unread } = await findIndexedSources(deps, isChosen ? scope : undefined, timeoutMs);
  const sourceIds = [...sources.keys()];
  const text = buildSearchText(question);
  const request = { text, limit, ...(isChosen && { sourceIds }) };
  const hits = sources.size === 0 ? [] : await searchPassages(deps, request);
  const retrieved = hits.flatMap(({ sourceId, ...found }): RetrievedPassage[] => {
    const source = sources.get(sourceId);
    return source ? [{ source, ...found }] : [];
  });
  const isAboutWhole = searchTerms(text).length === 0;
  const found =
    isAboutWhole && (isChosen || question.mayReadAnything)
      ? await readBeginnings(deps, [...sources.values()])
      : retrieved;
  return { passages: found, sources: [...sources.values()], unread };
}

async function readBeginnings(
  { own, index }: IndexedSourcesDeps,
  sources: readonly Source[],
): Promise<RetrievedPassage[]> {
  const read = sources.slice(0, OVERVIEW_SOURCES).map(async (source) => {
    const passages = await index.read(own.ownerId, source.id, { from: 0, limit: OVERVIEW_PASSAGES });
    return passages.flatMap((passage, position) =>
      passage.kind === "heading" ? [] : [{ source, passage, place: position, score: 1 }],
    );
  });
  return (await Promise.all(read)).flat();
}
