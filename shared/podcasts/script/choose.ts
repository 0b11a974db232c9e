import { toSpeech } from "../speech/to-speech.ts";
import { stripNumbering } from "./chapter-title.ts";
import type { ScriptCandidate, ScriptSection } from "./candidates.ts";

/** Candidates of one section that fit into the episode, in reading order. */
export interface ChosenSection {
  section: ScriptSection;
  chosen: ScriptCandidate[];
  costMs: number;
}

type Cost = (candidate: ScriptCandidate) => number;

/** A large chapter gets more, but not in proportion: the others should be heard too. */
const WEIGHT_POWER = 0.7;

/** Chooses what fits into a time: each section by its weight, the best of each first. */
export function chooseCandidates(sections: readonly ScriptSection[], budgetMs: number, cost: Cost): ChosenSection[] {
  const weights = sections.map(
    ({ candidates }) => candidates.reduce((sum, candidate) => sum + cost(candidate), 0) ** WEIGHT_POWER,
  );
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const taken = sections.map(() => new Set<ScriptCandidate>());
  let leftMs = budgetMs;
  const take = (index: number, candidate: ScriptCandidate) => {
    const costMs = cost(candidate);
    if (costMs > leftMs || taken[index]?.has(candidate)) return 0;
    taken[index]?.add(candidate);
    leftMs -= costMs;
    return costMs;
  };
  for (const [index, { candidates }] of sections.entries()) {
    let shareMs = budgetMs * ((weights[index] ?? 0) / weight);
    for (const candidate of byScore(candidates)) {
      if (cost(candidate) > shareMs) continue;
      shareMs -= take(index, candidate);
    }
  }
  const rest = sections.flatMap(({ candidates }, index) => candidates.map((candidate) => ({ index, candidate })));
  for (const { index, candidate } of rest.toSorted((a, b) => b.candidate.score - a.candidate.score))
    take(index, candidate);
  return sections.flatMap((section, index) => {
    const chosen = section.candidates.filter((candidate) => taken[index]?.has(candidate));
    const costMs = chosen.reduce((sum, candidate) => sum + cost(candidate), 0);
    return chosen.length === 0 ? [] : [{ section, chosen, costMs }];
  });
}

const byScore = (candidates: readonly ScriptCandidate[]) =>
  candidates.toSorted((a, b) => b.score - a.score || a.at - b.at);

export interface ScriptChapter {
  title: string;
  parts: ChosenSection[];
  costMs: number;
}

const CHAPTER_MS = 90_000;
const MIN_CHAPTERS = 2;
const MAX_CHAPTERS = 7;

/** Joins neighbours of one source, the shortest first, until the chapters are as long as a listener can follow. */
export function joinChapters(sections: readonly ChosenSection[]): ScriptChapter[] {
  const totalMs = sections.reduce((sum, { costMs }) => sum + costMs, 0);
  const wanted = Math.max(MIN_CHAPTERS, Math.min(MAX_CHAPTERS, Math.round(totalMs / CHAPTER_MS)));
  const chapters = sections.map((part) => ({ parts: [part], costMs: part.costMs }));
  while (chapters.length > wanted) {
    const pairs = chapters.slice(1).map((next, index) => {
      const previous = chapters[index];
      const isSame = previous?.parts[0]?.section.source === next.parts[0]?.section.source;
      return { index, costMs: (previous?.costMs ?? 0) + next.costMs, isSame };
    });
    const joinable = pairs.filter(({ isSame }) => isSame);
    const best = (joinable.length > 0 ? joinable : pairs).toSorted((a, b) => a.costMs - b.costMs)[0];
    const [first, second] = best ? chapters.splice(best.index, 2) : [];
    if (!best || !first || !second) break;
    chapters.splice(best.index, 0, {
      parts: [...first.parts, ...second.parts],
      costMs: first.costMs + second.costMs,
    });
  }
  return chapters.map((chapter) => ({ ...chapter, title: titleOf(chapter.parts) }));
}

/** What stands above a part of any book says nothing about this one. */
const GENERIC =
  /^(?:(?:chapter|key|unit|section) )?(?:concepts|summary|introduction|conclusions?|overview|review|abstract|discussion|results|background|contents|takeaways|objectives|(?:key )?terms|concepts and summary|questions|exercises)(?: (?:summary|questions|exercises))?$/iu;

/** The head of a table, read as a heading: "NQ TriviaQA WQ TREC". */
function isLabelRow(title: string): boolean {
  const words = title.split(/\s+/u);
  return words.length > 1 && !words.some((word) => /^\p{Lu}?\p{Ll}{2,}[,:;?!]?$/u.test(word));
}

/** The heading above most of it that can be read aloud; one that says what it is about comes first. */
function titleOf(parts: readonly ChosenSection[]): string {
  const titles = parts
    .toSorted((a, b) => b.costMs - a.costMs)
    .map(({ section }) => section.title.trim())
    .filter((title) => /\p{L}{3}/u.test(title) && !isLabelRow(title) && toSpeech(title) !== undefined);
  return titles.find((title) => !GENERIC.test(stripNumbering(title))) ?? titles[0] ?? "";
}
