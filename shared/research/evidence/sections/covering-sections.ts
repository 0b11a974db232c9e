import { groupBy } from "#shared/pages/rules.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { EvidencePassage } from "../candidates.ts";
import { firstPhraseTerms } from "../parse-question-subject.ts";
import { includesForm } from "../terms/same-root.ts";
import { isPurposeTerm, matchesPurpose } from "./heading-purpose.ts";

/** How much of the words of a question a section of a source contains. */
export interface CoveringSection {
  /** From 0 to 1. */
  share: number;
  /** Whether its heading names what the question wants to know: "Causes of the Crash". */
  hasPurpose: boolean;
  /** From 0 to 1 for each term of the question: a heading, or many occurrences, say that the section is about it. */
  terms: ReadonlyMap<string, number>;
}

/** How much a section is about a word in the title of its source. */
const IN_TITLE = 0.8;
/** A section with a smaller share of the question's words is about something else. */
const MIN_SHARE = 0.65;
/** The minimum share of a section in relation to the best one. */
const MIN_OF_BEST = 0.75;
/** The maximum number of sections that are read for a question. */
const MAX_SECTIONS = 4;

/** Passages of one section have the same key. A passage without a known section is one by itself. */
export const sectionKeyOf = ({ source, passageId, section }: EvidencePassage): string =>
  section === undefined ? `${source} ${passageId}` : `${source}\0${section.start}\0${section.heading}`;

function countTerms(passages: readonly EvidencePassage[], terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map(terms.map((term) => [term, 0]));
  const wantedBy = new Map<string, readonly string[]>();
  for (const { text } of passages)
    for (const word of searchTerms(text)) {
      const wanted = wantedBy.get(word) ?? terms.filter((term) => includesForm(new Set([word]), term));
      wantedBy.set(word, wanted);
      for (const term of wanted) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  return counts;
}

function describeSection(passages: readonly EvidencePassage[], { query, terms, weight }: AskedTerms): CoveringSection {
  const [first] = passages;
  const ofHeading = new Set(searchTerms(first?.section?.heading ?? ""));
  const ofTitle = new Set(searchTerms(first?.title ?? ""));
  const counts = countTerms(passages, terms);
  const hasPurpose = matchesPurpose(query, first?.section?.heading ?? "");
  const coverTerm = (term: string): number => {
    if (includesForm(ofHeading, term) || (hasPurpose && isPurposeTerm(term))) return 1;
    return Math.max(includesForm(ofTitle, term) ? IN_TITLE : 0, 1 - 0.5 ** (counts.get(term) ?? 0));
  };
  const covered = new Map(terms.map((term) => [term, coverTerm(term)]));
  const total = terms.reduce((sum, term) => sum + weight(term), 0);
  const sum = terms.reduce((all, term) => all + weight(term) * (covered.get(term) ?? 0), 0);
  return { share: sum / Math.max(Number.EPSILON, total), hasPurpose, terms: covered };
}

/** The naming terms of a question with their weights. */
export interface AskedTerms {
  query: string;
  terms: readonly string[];
  weight: (term: string) => number;
}

/**
 * The sections that are about everything a question names, by key. Their sentences answer the question also in other
 * words.
 */
export function findCoveringSections(
  passages: readonly EvidencePassage[],
  asked: AskedTerms,
): ReadonlyMap<string, CoveringSection> {
  const sections = groupBy(
    passages.filter(({ section }) => section !== undefined),
    sectionKeyOf,
  );
  const described = [...sections]
    .map(([key, ofSection]) => [key, describeSection(ofSection, asked)] as const)
    .toSorted(([, a], [, b]) => b.share - a.share);
  const { terms } = asked;
  const noun = firstPhraseTerms(asked.query).findLast((term) => terms.includes(term));
  const namesSubject = (section: CoveringSection) => noun === undefined || (section.terms.get(noun) ?? 0) > 0;
  // A single word is in sections about anything, so it must be in the heading.
  const isAbout = (section: CoveringSection) => terms.length > 1 || section.terms.get(terms[0] ?? "") === 1;
  const isCovering = (section: CoveringSection) =>
    section.share >= MIN_SHARE && isAbout(section) && namesSubject(section);
  const covering = described.filter(([, section]) => isCovering(section));
  const withPurpose = covering.filter(([, section]) => section.hasPurpose);
  const chosen = withPurpose.length > 0 ? withPurpose : covering;
  const least = (chosen[0]?.[1].share ?? 0) * MIN_OF_BEST;
  return new Map(chosen.filter(([, section]) => section.share >= least).slice(0, MAX_SECTIONS));
}
