import { contentQuery, refersToWholeSource } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitQuestion } from "#shared/tutor/extraction/question-parts.ts";
import { expandChatSpellings } from "#shared/tutor/extraction/typos.ts";
import type { AnswerScope as Chosen, Selection } from "#shared/tutor/schema.ts";
import { searchPassages } from "#api/library/embeddings.ts";
import { findIndexedSources, type IndexedSourcesDeps } from "#api/library/indexed-sources.ts";
import type { Source } from "#api/library/sources.ts";
import type { Hit } from "#api/store/search/port.ts";
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
  /** The question. If it has few words of its own, the previous question is added to it. */
  question: string;
}

/** How long an answer waits for sources to be indexed; sources indexed later are available to the next answer. */
const INDEX_TIMEOUT_MS = 20_000;
const INDEX_ALL_TIMEOUT_MS = 5_000;
/** With at most this many content words, the previous question is searched for as well. */
const MAX_FEW_TERMS = 2;
const OVERVIEW_SOURCES = 4;
const OVERVIEW_PASSAGES = 90;

/** A short question may refer to the previous one: "And how long?" */
function referredQuestion({ text, selection, previousQuestion = "" }: RetrievalQuestion): string {
  const hasFewTerms = searchTerms(contentQuery(text)).length <= MAX_FEW_TERMS;
  return hasFewTerms && !selection && !refersToWholeSource(text) ? previousQuestion : "";
}

function buildSearchText(question: RetrievalQuestion): string {
  const { text, selection } = question;
  return [contentQuery(text), selection?.text ?? "", contentQuery(referredQuestion(question))].join(" ").trim();
}

/** "And how long does it last?": words that refer to something mentioned before. */
const REFERS =
  /^\s*(?:and|but|also|so|why|how so|und|aber|warum|wieso)\b[\s,]*(?:\?|$|\p{L})|\b(?:it|its|they|them|their|he|she|his|her|this|that|these|those|er|sie|es|ihn|ihr|dazu|davon|daran)\b/iu;

/** The question for which an answer is selected. If the question has no words of its own, the selection is used. */
function buildAnswerQuestion(question: RetrievalQuestion): string {
  const { text, selection } = question;
  const hasTerms = searchTerms(contentQuery(text)).length > 0;
  if (!hasTerms && selection) return selection.text;
  const refers = !hasTerms || REFERS.test(text);
  // The previous question comes second, because the form of the current question decides which kind of answer is
  // selected.
  return `${text} ${refers ? contentQuery(referredQuestion(question)) : ""}`.trim();
}

/** A question about two things is also searched for each of them, because one of them may be in far fewer passages. */
async function searchParts(
  deps: IndexedSourcesDeps,
  request: Parameters<typeof searchPassages>[1],
  parts: readonly string[],
): Promise<Hit[]> {
  const found = [await searchPassages(deps, request)];
  if (parts.length > 1)
    for (const part of parts) found.push(await searchPassages(deps, { ...request, text: contentQuery(part) }));
  const [whole = []] = found;
  const best = whole[0]?.score ?? 1;
  const merged = new Map<string, Hit>();
  for (const hits of found) {
    const factor = best / (hits[0]?.score ?? 1);
    for (const hit of hits) {
      const key = `${hit.sourceId} ${hit.position}`;
      const score = Math.max(merged.get(key)?.score ?? 0, hit.score * factor);
      merged.set(key, { ...hit, score });
    }
  }
  return [...merged.values()].toSorted((a, b) => b.score - a.score).slice(0, request.limit);
}

/** Retrieves passages for a question, best first; for a question about a whole source, its beginning. */
export async function retrievePassages(
  deps: IndexedSourcesDeps,
  asked: RetrievalQuestion,
  limit: number,
): Promise<RetrievalResult> {
  const question = { ...asked, text: expandChatSpellings(asked.text) };
  const { scope } = question;
  const isChosen = scope.kind === "chosen";
  const timeoutMs = isChosen ? INDEX_TIMEOUT_MS : INDEX_ALL_TIMEOUT_MS;
  const { sources, unread } = await findIndexedSources(deps, isChosen ? scope : undefined, timeoutMs);
  const sourceIds = [...sources.keys()];
  const text = buildSearchText(question);
  const request = { text, limit, correctsTypos: true, ...(isChosen && { sourceIds }) };
  const hits = sources.size === 0 ? [] : await searchParts(deps, request, splitQuestion(question.text));
  const retrieved = hits.flatMap(({ sourceId, ...found }): RetrievedPassage[] => {
    const source = sources.get(sourceId);
    return source ? [{ source, ...found }] : [];
  });
  const isAboutWhole = searchTerms(text).length === 0;
  const found =
    isAboutWhole && (isChosen || question.mayReadAnything)
      ? await readBeginnings(deps, [...sources.values()])
      : retrieved;
  return { passages: found, sources: [...sources.values()], unread, question: buildAnswerQuestion(question) };
}

async function readBeginnings(
  { own, index }: IndexedSourcesDeps,
  sources: readonly Source[],
): Promise<RetrievedPassage[]> {
  const read = sources.slice(0, OVERVIEW_SOURCES).map(async (source) => {
    const passages = await index.read(own.ownerId, source.id, { from: 0, limit: OVERVIEW_PASSAGES });
    return passages.flatMap((passage, position) =>
      passage.kind === "heading" ? [] : [{ source, passage, position, score: 1 }],
    );
  });
  return (await Promise.all(read)).flat();
}
