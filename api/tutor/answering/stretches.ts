import { matterOf } from "#shared/engine/errands.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { bestOf, type Posting, rankPostings } from "#api/store/search/bm25.ts";
import { type IndexedPassage, type PassageIndex, searchedText } from "#api/store/search/port.ts";
import type { Ground } from "./answer.ts";

/** About two thirds of a printed page: an answer rarely fits one paragraph. */
const MAX_CHARS = 2000;
/** Neighbours on either side that may join a window. */
const REACH = 6;
/** Windows per answer. */
const MOST = 5;

/** Whether two neighbouring passages are in the same section or under the same heading. */
function isOneSection(one: IndexedPassage, other: IndexedPassage | undefined): other is IndexedPassage {
  if (!other || other.kind === "heading" || other.section !== one.section) return false;
  return one.section !== undefined || other.locator.heading === one.locator.heading;
}

/** The cited passage with its neighbours in the same section, following ones first, up to `MAX_CHARS`. */
export async function widenPassage(index: PassageIndex, ownerId: string, ground: Ground): Promise<string> {
  const { source, passage, place, around } = ground;
  if (around !== undefined) return around;
  // Neighbouring cards are unrelated.
  if (source.kind === "deck") return passage.text;
  const from = Math.max(0, place - REACH);
  const near = await index.read(ownerId, source.id, { from, limit: 2 * REACH + 1 });
  const at = near.findIndex(({ id }) => id === passage.id);
  return at === -1 ? passage.text : joinAround(near, at);
}

function joinAround(near: readonly IndexedPassage[], at: number): string {
  const passage = near[at];
  if (!passage) return "";
  let first = at;
  let last = at;
  let chars = passage.text.length;
  const joins = (next: number) => {
    const other = near[next];
    if (!isOneSection(passage, other) || chars + 1 + other.text.length > MAX_CHARS) return false;
    chars += 1 + other.text.length;
    return true;
  };
  for (let grows = true; grows;) {
    grows = false;
    if (joins(last + 1)) {
      last += 1;
      grows = true;
    }
    if (joins(first - 1)) {
      first -= 1;
      grows = true;
    }
  }
  return textOf(near.slice(first, last + 1));
}

const textOf = (passages: readonly IndexedPassage[]) => passages.map(({ text }) => text).join("\n");

/** Consecutive passages of a source; the first one is at `from`. */
interface Run {
  source: Ground["source"];
  from: number;
  passages: readonly IndexedPassage[];
}

/** Reads the neighbourhood of the found passages of each source, overlapping ranges once. */
async function readAround(index: PassageIndex, ownerId: string, grounds: readonly Ground[]): Promise<Run[]> {
  const bySource = [...groupBy(grounds, ({ source }) => source.id).values()];
  const runs = bySource.flatMap((found) => {
    const ranges: { source: Ground["source"]; from: number; to: number }[] = [];
    for (const { source, place } of found.toSorted((a, b) => a.place - b.place)) {
      const [from, to] = [Math.max(0, place - REACH), place + REACH + 1];
      const before = ranges.at(-1);
      if (before && from <= before.to) before.to = to;
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
interface Stretch {
  run: Run;
  from: number;
  to: number;
}

/** The longest window that starts at each passage. */
function stretchesOf(run: Run): Stretch[] {
  return run.passages.flatMap((passage, from): Stretch[] => {
    if (passage.kind === "heading") return [];
    let [chars, to] = [passage.text.length, from + 1];
    for (; ; to += 1) {
      const next = run.passages[to];
      if (!isOneSection(passage, next) || chars + 1 + next.text.length > MAX_CHARS) break;
      chars += 1 + next.text.length;
    }
    return [{ run, from, to }];
  });
}

/** Terms of each passage with and without its heading, cached because windows overlap. */
function termsByPassage(): (passage: IndexedPassage) => { own: string[]; all: string[] } {
  const known = new Map<IndexedPassage, { own: string[]; all: string[] }>();
  return (passage) => {
    const before = known.get(passage);
    if (before) return before;
    const own = searchTerms(passage.text);
    const searched = searchedText(passage);
    const made = { own, all: searched === passage.text ? own : searchTerms(searched) };
    known.set(passage, made);
    return made;
  };
}

/** Terms of a window; each heading counts once. */
function termsOf({ run, from, to }: Stretch, terms: ReturnType<typeof termsByPassage>): string[] {
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
function rank(stretches: readonly Stretch[], asked: readonly string[]): (Stretch & { score: number })[] {
  const byPassage = termsByPassage();
  const terms = stretches.map((stretch) => termsOf(stretch, byPassage));
  const wanted = new Map(asked.map((term) => [term, [] as number[]]));
  for (const [at, own] of terms.entries()) {
    const often = new Map<string, number>();
    for (const term of own) if (wanted.has(term)) often.set(term, (often.get(term) ?? 0) + 1);
    for (const [term, count] of often) wanted.get(term)?.push(at, count, own.length);
  }
  const postings = asked.map((term): Posting => ({ term, writing: "", places: wanted.get(term) ?? [] }));
  const averageTerms = terms.reduce((sum, own) => sum + own.length, 0) / Math.max(1, terms.length);
  const scores = rankPostings(postings, { passages: stretches.length, averageTerms });
  return bestOf(scores, () => true, stretches.length).flatMap(({ passage, score }) => {
    const stretch = stretches[passage];
    return stretch ? [{ ...stretch, score }] : [];
  });
}

const overlap = (one: Stretch, other: Stretch) => one.run === other.run && one.from < other.to && other.from < one.to;

/**
 * Finds the context windows that answer a question best, each as the found passages in it. Several paragraphs that
 * together cover the question rank above one that repeats a single term.
 */
export async function findStretches(
  index: PassageIndex,
  ownerId: string,
  grounds: readonly Ground[],
  question: string,
): Promise<Ground[][]> {
  const asked = [...new Set(searchTerms(matterOf(question)))];
  if (asked.length === 0) return grounds.map((ground) => [ground]);
  const cards = grounds.filter(({ source }) => source.kind === "deck");
  const runs = await readAround(
    index,
    ownerId,
    grounds.filter(({ source }) => source.kind !== "deck"),
  );
  const single = cards.map(({ source, passage, place }): Stretch => {
    return { run: { source, from: place, passages: [passage] }, from: 0, to: 1 };
  });
  const picked: Stretch[] = [];
  const found: Ground[][] = [];
  for (const { score, ...stretch } of rank([...runs.flatMap(stretchesOf), ...single], asked)) {
    if (picked.length >= MOST) break;
    const held = grounds.filter((ground) => stands(ground, stretch));
    if (held.length === 0 || picked.some((other) => overlap(other, stretch))) continue;
    picked.push(stretch);
    const around = textOf(withRoom(stretch));
    found.push(held.map((ground) => ({ ...ground, score, around })));
  }
  return found;
}

const stands = ({ source, place }: Ground, { run, from, to }: Stretch) =>
  source.id === run.source.id && place >= run.from + from && place < run.from + to;

/** The window plus preceding passages of its section that still fit. */
function withRoom({ run: { passages }, from, to }: Stretch): readonly IndexedPassage[] {
  const [own] = passages.slice(from);
  let chars = textOf(passages.slice(from, to)).length;
  const joining = passages.slice(0, from).toReversed();
  const end = joining.findIndex((before) => {
    chars += 1 + before.text.length;
    return !own || !isOneSection(own, before) || chars > MAX_CHARS;
  });
  return passages.slice(end === -1 ? 0 : from - end, to);
}
