import { matterOf } from "#shared/engine/errands.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { bestOf, type Posting, rankPostings } from "#api/store/search/bm25.ts";
import { type IndexedPassage, type PassageIndex, searchedText } from "#api/store/search/port.ts";
import type { Ground } from "./answer.ts";

/** A citation carries about two thirds of a printed page: an answer rarely fits one paragraph. */
const MAX_CHARS = 2000;
/** Neighbours on either side of what was found that may join it. */
const REACH = 6;
/** Stretches that one answer is drawn from. */
const MOST = 5;

/** Whether two neighbours speak of one thing: they stand in the same section, or under the same heading. */
function isOneSection(one: IndexedPassage, other: IndexedPassage | undefined): other is IndexedPassage {
  if (!other || other.kind === "heading" || other.section !== one.section) return false;
  return one.section !== undefined || other.locator.heading === one.locator.heading;
}

/**
 * The passage of a citation with what stands around it in the same section. Neighbours join while there is room, the
 * following one first.
 */
export async function widenPassage(index: PassageIndex, ownerId: string, ground: Ground): Promise<string> {
  const { source, passage, place, around } = ground;
  if (around !== undefined) return around;
  // Cards stand beside each other by chance.
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

/** Passages that follow each other in a source, the first of them at `from`. */
interface Run {
  source: Ground["source"];
  from: number;
  passages: readonly IndexedPassage[];
}

/** What stands around the found passages of each source, read once where it overlaps. */
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

/** Some passages of one section that follow each other, by their places in a run. */
interface Stretch {
  run: Run;
  from: number;
  to: number;
}

/** From each passage on, as many as a citation carries. */
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

/** The terms of a passage with its heading and without: it stands in several stretches, and is taken apart once. */
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

/** The terms of a stretch; each heading counts once, whichever of its passages stands under it. */
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

/** The stretches in the order in which they hold most of what was asked (BM25), with their scores. */
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
 * Where a question is answered best, as stretches of what was found and of what stands around it, the best first; each is
 * given as the found passages in it. Several paragraphs that each hold a part of what was asked come before one that
 * names a word of it often.
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

/** With what stands before it in its section, as long as there is room. */
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
