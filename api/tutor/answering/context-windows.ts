import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitQuestion } from "#shared/tutor/extraction/question-parts.ts";
import { correctTypos } from "#shared/tutor/extraction/typos.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { selectBest, type Posting, rankPostings } from "#api/store/search/bm25.ts";
import { type IndexedPassage, type PassageIndex, getIndexedText } from "#api/store/search/port.ts";
import type { RetrievedPassage } from "./answer-builder.ts";
import type { RetrievalResult } from "./retrieve.ts";

/** About two thirds of a printed page: an answer rarely fits one paragraph. */
const MAX_CHARS = 2000;
/** Neighbours on either side that may join a window. */
const MAX_NEIGHBOURS = 6;
/** Maximum number of windows for a question, or for each of its parts. */
const MAX_WINDOWS = 10;

/** Whether two neighbouring passages are in the same section or under the same heading. */
function isSameSection(first: IndexedPassage, other: IndexedPassage | undefined): other is IndexedPassage {
  if (!other || other.kind === "heading" || other.section !== first.section) return false;
  return first.section !== undefined || other.locator.heading === first.locator.heading;
}

/** The cited passage with its neighbours in the same section, following ones first, up to `MAX_CHARS`. */
export async function readContextText(index: PassageIndex, ownerId: string, hit: RetrievedPassage): Promise<string> {
  const { source, passage, position, contextText } = hit;
  if (contextText !== undefined) return contextText;
  // Neighbouring cards are unrelated.
  if (source.kind === "deck") return passage.text;
  const from = Math.max(0, position - MAX_NEIGHBOURS);
  const neighbours = await index.read(ownerId, source.id, { from, limit: 2 * MAX_NEIGHBOURS + 1 });
  const offset = neighbours.findIndex(({ id }) => id === passage.id);
  return offset === -1 ? passage.text : joinNeighbours(neighbours, offset);
}

function joinNeighbours(neighbours: readonly IndexedPassage[], offset: number): string {
  const passage = neighbours[offset];
  if (!passage) return "";
  let first = offset;
  let last = offset;
  let chars = passage.text.length;
  const tryJoin = (next: number) => {
    const other = neighbours[next];
    if (!isSameSection(passage, other) || chars + 1 + other.text.length > MAX_CHARS) return false;
    chars += 1 + other.text.length;
    return true;
  };
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    if (tryJoin(last + 1)) {
      last += 1;
      hasGrown = true;
    }
    if (tryJoin(first - 1)) {
      first -= 1;
      hasGrown = true;
    }
  }
  return textOf(neighbours.slice(first, last + 1));
}

const textOf = (passages: readonly IndexedPassage[]) => passages.map(({ text }) => text).join("\n");

/** Consecutive passages of a source; the first one is at `from`. */
interface PassageRun {
  source: RetrievedPassage["source"];
  from: number;
  passages: readonly IndexedPassage[];
}

/** Reads the neighbourhood of the found passages of each source, overlapping ranges once. */
async function readNeighbourhoods(
  index: PassageIndex,
  ownerId: string,
  hits: readonly RetrievedPassage[],
): Promise<PassageRun[]> {
  const bySource = [...groupBy(hits, ({ source }) => source.id).values()];
  const runs = bySource.flatMap((found) => {
    const ranges: { source: RetrievedPassage["source"]; from: number; to: number }[] = [];
    for (const { source, position } of found.toSorted((a, b) => a.position - b.position)) {
      const [from, to] = [Math.max(0, position - MAX_NEIGHBOURS), position + MAX_NEIGHBOURS + 1];
      const previous = ranges.at(-1);
      if (previous && from <= previous.to) previous.to = to;
      else ranges.push({ source, from, to });
    }
    return ranges;
  });
  return Promise.all(
    runs.map(async ({ source, from, to }) => {
      return { source, from, passages: await index.read(ownerId, source.id, { from, limit: to - from }) };
    }),
  );
}

/** Consecutive passages of one section, by their indexes in a run. */
interface ContextWindow {
  run: PassageRun;
  from: number;
  to: number;
}

/** The longest window that starts at each passage. */
function windowsOfRun(run: PassageRun): ContextWindow[] {
  return run.passages.flatMap((passage, from): ContextWindow[] => {
    if (passage.kind === "heading") return [];
    let [chars, to] = [passage.text.length, from + 1];
    for (; ; to += 1) {
      const next = run.passages[to];
      if (!isSameSection(passage, next) || chars + 1 + next.text.length > MAX_CHARS) break;
      chars += 1 + next.text.length;
    }
    return [{ run, from, to }];
  });
}

/** Terms of each passage with and without its heading, cached because windows overlap. */
function createTermCache(): (passage: IndexedPassage) => { own: string[]; all: string[] } {
  const cache = new Map<IndexedPassage, { own: string[]; all: string[] }>();
  return (passage) => {
    const previous = cache.get(passage);
    if (previous) return previous;
    const own = searchTerms(passage.text);
    const searched = getIndexedText(passage);
    const entry = { own, all: searched === passage.text ? own : searchTerms(searched) };
    cache.set(passage, entry);
    return entry;
  };
}

/** Terms of a window; each heading counts once. */
function termsOf({ run, from, to }: ContextWindow, terms: ReturnType<typeof createTermCache>): string[] {
  const seen = new Set<string>();
  return run.passages.slice(from, to).flatMap((passage) => {
    const { heading = "" } = passage.locator;
    const isNew = !seen.has(heading);
    seen.add(heading);
    const { own, all } = terms(passage);
    return isNew ? all : own;
  });
}

/** Ranks the windows by BM25 against the question's terms. https://en.wikipedia.org/wiki/Okapi_BM25 */
function rankWindows(
  windows: readonly ContextWindow[],
  questionTerms: readonly string[],
): (ContextWindow & { score: number })[] {
  const byPassage = createTermCache();
  const terms = windows.map((contextWindow) => termsOf(contextWindow, byPassage));
  const postingsByTerm = new Map(questionTerms.map((term) => [term, [] as number[]]));
  for (const [offset, own] of terms.entries()) {
    const termCounts = new Map<string, number>();
    for (const term of own) if (postingsByTerm.has(term)) termCounts.set(term, (termCounts.get(term) ?? 0) + 1);
    for (const [term, count] of termCounts) postingsByTerm.get(term)?.push(offset, count, own.length);
  }
  const postings = questionTerms.map((term): Posting => ({
    term,
    writing: "",
    places: postingsByTerm.get(term) ?? [],
  }));
  const averageTerms = terms.reduce((sum, own) => sum + own.length, 0) / Math.max(1, terms.length);
  const scores = rankPostings(postings, { passages: windows.length, averageTerms });
  return selectBest(scores, () => true, windows.length).flatMap(({ passage, score }) => {
    const contextWindow = windows[passage];
    return contextWindow ? [{ ...contextWindow, score }] : [];
  });
}

const haveOverlap = (first: ContextWindow, other: ContextWindow) =>
  first.run === other.run && first.from < other.to && other.from < first.to;

/**
 * Finds the context windows that answer a question best, each as the found passages in it. Several paragraphs that
 * together cover the question rank above one that repeats a single term.
 */
export async function findContextWindows(
  index: PassageIndex,
  ownerId: string,
  { passages: hits, question }: Pick<RetrievalResult, "passages" | "question">,
): Promise<RetrievedPassage[][]> {
  const corrected = correctTypos(
    question,
    hits.map(({ passage }) => getIndexedText(passage)),
  );
  const questionTerms = [...new Set(searchTerms(contentQuery(corrected)))];
  if (questionTerms.length === 0) return hits.map((hit) => [hit]);
  const cards = hits.filter(({ source }) => source.kind === "deck");
  const runs = await readNeighbourhoods(
    index,
    ownerId,
    hits.filter(({ source }) => source.kind !== "deck"),
  );
  const cardWindows = cards.map(({ source, passage, position }): ContextWindow => {
    return { run: { source, from: position, passages: [passage] }, from: 0, to: 1 };
  });
  const picked: ContextWindow[] = [];
  const found: RetrievedPassage[][] = [];
  for (const { score, ...contextWindow } of rankWindows(
    [...runs.flatMap(windowsOfRun), ...cardWindows],
    questionTerms,
  )) {
    if (picked.length >= MAX_WINDOWS) break;
    const containedHits = hits.filter((hit) => isInWindow(hit, contextWindow));
    if (containedHits.length === 0 || picked.some((other) => haveOverlap(other, contextWindow))) continue;
    picked.push(contextWindow);
    const contextText = textOf(withPrecedingPassages(contextWindow));
    found.push(containedHits.map((hit) => ({ ...hit, score, contextText })));
  }
  return found;
}

/** The windows of each part of a question. A passage that answers two parts is only in the first of its windows. */
export async function findPartWindows(
  index: PassageIndex,
  ownerId: string,
  { passages, question }: Pick<RetrievalResult, "passages" | "question">,
): Promise<RetrievedPassage[][]> {
  const parts = splitQuestion(question);
  const found: RetrievedPassage[][] = [];
  const seen = new Set<string>();
  for (const part of parts.length > 1 ? [question, ...parts] : parts) {
    for (const window of await findContextWindows(index, ownerId, { passages, question: part })) {
      const isNew = ({ source, position }: RetrievedPassage) => {
        const key = `${source.id} ${position}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
      };
      found.push(window.filter(isNew));
    }
  }
  return found;
}

const isInWindow = ({ source, position }: RetrievedPassage, { run, from, to }: ContextWindow) =>
  source.id === run.source.id && position >= run.from + from && position < run.from + to;

/** The window plus preceding passages of its section that still fit. */
function withPrecedingPassages({ run: { passages }, from, to }: ContextWindow): readonly IndexedPassage[] {
  const [own] = passages.slice(from);
  let chars = textOf(passages.slice(from, to)).length;
  const preceding = passages.slice(0, from).toReversed();
  const end = preceding.findIndex((previous) => {
    chars += 1 + previous.text.length;
    return !own || !isSameSection(own, previous) || chars > MAX_CHARS;
  });
  return passages.slice(end === -1 ? 0 : from - end, to);
}
