import type { Candidate } from "../generate/candidates.ts";
import { candidatesOf, type ReadSection } from "../generate/section-candidates.ts";
import type { EngineEvent } from "../schema.ts";
import type { CoverageLimits, DeckLimits } from "../select/deck-limits.ts";
import type { LikelyCandidate, Selector } from "../select/select.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { wordsOf } from "#shared/text/words.ts";

/** A run of sentences of one section that should have a card. */
interface CoverageWindow {
  part: ReadSection;
  /** Orders of facts, `to` excluded. */
  from: number;
  to: number;
}

const countSectionWords = (part: ReadSection) =>
  part.section.passages.reduce((n, { text }) => n + wordsOf(text).length, 0);

/** Divides a section into windows of about equal length, one for each `wordsPerCard`; a short section is one window. */
function windowsOf(part: ReadSection, wordsPerCard: number): CoverageWindow[] {
  const total = countSectionWords(part);
  const count = Math.max(1, Math.round(total / wordsPerCard));
  const starts = [part.firstOrder];
  let words = 0;
  for (const { order, original } of part.facts) {
    if (words >= (total / count) * starts.length && starts.length < count) starts.push(order);
    words += wordsOf(original).length;
  }
  return starts.map((from, i) => ({ part, from, to: starts[i + 1] ?? part.endOrder }));
}

const isInWindow = ({ fact }: Candidate, { from, to }: CoverageWindow) => fact.order >= from && fact.order < to;

type CandidateInSection = LikelyCandidate & { path: readonly string[] };

/** The first of these candidates that the deck takes. */
function takeFirst(candidates: readonly LikelyCandidate[], path: readonly string[], selector: Selector) {
  for (const { entry } of candidates) {
    const card = selector.takeOne(entry, path);
    if (card) return card;
  }
  return undefined;
}

/** Yields the likeliest card for each window of this section without a card. Returns all likely candidates. */
function* coverWindows(
  part: ReadSection,
  lexicon: Lexicon,
  { selector, limits }: { selector: Selector; limits: CoverageLimits },
): Generator<EngineEvent, CandidateInSection[]> {
  const { path } = part.section;
  const likely = selector.listLikely(candidatesOf(part, lexicon), limits.windowProbability);
  for (const window of windowsOf(part, limits.wordsPerCard)) {
    if (selector.hasCardIn(window)) continue;
    const inWindow = likely.filter(({ entry }) => isInWindow(entry.candidate, window));
    const card = takeFirst(inWindow, path, selector);
    if (card) yield { type: "card", card };
  }
  return likely.map((candidate) => ({ ...candidate, path }));
}

/**
 * Yields the likeliest card for every window without a card, if a reader would probably keep that card. Then yields the
 * likeliest other candidates, until the deck has one card for each `wordsPerCard`, and all that are certain enough.
 */
export function* coverSections(
  read: readonly ReadSection[],
  lexicon: Lexicon,
  { selector, limits, words }: { selector: Selector; limits: DeckLimits; words: number },
): Generator<EngineEvent> {
  const { coverage, isNarrative } = limits;
  if (coverage === undefined || isNarrative === true) return;
  const likelyCandidates: CandidateInSection[] = [];
  for (const part of read) {
    const likely = yield* coverWindows(part, lexicon, { selector, limits: coverage });
    likelyCandidates.push(...likely.filter(({ probability }) => probability >= coverage.deckProbability));
  }
  const { wordsPerCard, certainProbability = Number.POSITIVE_INFINITY } = coverage;
  for (const { entry, path, probability } of likelyCandidates.toSorted((a, b) => b.probability - a.probability)) {
    if (selector.count * wordsPerCard >= words && probability < certainProbability) return;
    const card = selector.takeOne(entry, path);
    if (card) yield { type: "card", card };
  }
}
