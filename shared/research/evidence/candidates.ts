import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { dependsOnPrevious, isReadable, beginsWithContrast } from "./readable-sentences.ts";
import { asksForAdvice } from "./sections/heading-purpose.ts";
import { withOtherForms } from "./terms/same-root.ts";

/** The section of a source that contains a passage. */
export interface EvidenceSection {
  heading: string;
  /** The number of passages of the source before the section, and of the section before the passage. */
  start: number;
  at: number;
}

/** A retrieved passage of a source of the ledger. */
export interface EvidencePassage {
  source: number;
  passageId: string;
  text: string;
  /** Title of the source. */
  title: string;
  /** Title of the source and the heading above the passage. */
  context: string;
  /** The section of its source; missing if there is no heading above it. */
  section?: EvidenceSection;
  /** Relevance from 0 to 1; the best passage of its search has 1. */
  score: number;
}

/** A complete sentence of a passage. */
export interface EvidenceSentence {
  source: number;
  passageId: string;
  text: string;
  /** Index in its passage. */
  at: number;
  score: number;
  /** Whether its section is about everything that the question names. */
  isInCoveringSection?: boolean;
}

/** A sentence that a canvas may quote. */
export interface EvidenceCandidate extends EvidenceSentence {
  terms: ReadonlySet<string>;
  /** The sentences before it that must be quoted with it, in order. */
  preceding: readonly EvidenceSentence[];
  /** The search terms of `preceding`. */
  precedingTerms: ReadonlySet<string>;
  /** Whether it begins with "However": it is quoted with those before it, or alone under a heading about its subject. */
  isContrast: boolean;
  /**
   * Whether it contains most words of the question, and is a definition or a comparison if the question asks for one.
   */
  coversQuestionInForm: boolean;
  /** Whether it has the form of an answer, or contains most words of the question. */
  isAnswer: boolean;
  /** Whether it is of the kind that the question asks for: a definition, a cause, a comparison. */
  matchesAnswerKind: boolean;
  /** Whether it contains everything that the question names, if that is more than one thing. */
  coversAllTerms: boolean;
}

interface CandidateOptions {
  language: "en" | "de";
  /** Terms of the question that are in a sentence in another form count as its own. */
  query: string;
  used: ReadonlySet<string>;
  isFurther?: boolean;
}

/** The maximum number of sentences that are quoted before a sentence. */
const MAX_PRECEDING = 2;

/** Indexes of the sentences that must be quoted before this one; undefined if they cannot be quoted themselves. */
function findPreceding(
  sentences: readonly string[],
  at: number,
  { language, used }: CandidateOptions,
): number[] | undefined {
  for (let first = at - 1; first >= Math.max(0, at - MAX_PRECEDING); first -= 1) {
    const text = sentences[first] ?? "";
    if (used.has(text)) return undefined;
    if (isReadable(text, language)) return sentences.slice(first, at).map((_, index) => first + index);
    if (!dependsOnPrevious(text, language)) return undefined;
  }
  return undefined;
}

function toCandidate(
  passage: EvidencePassage,
  at: number,
  { preceding, text, asked }: { preceding: readonly EvidenceSentence[]; text: string; asked: readonly string[] },
): EvidenceCandidate {
  const { source, passageId, score } = passage;
  return {
    source,
    passageId,
    text,
    at,
    score,
    terms: new Set(withOtherForms(searchTerms(text), asked)),
    preceding,
    precedingTerms: new Set(preceding.flatMap((one) => withOtherForms(searchTerms(one.text), asked))),
    isContrast: beginsWithContrast(text),
    coversQuestionInForm: false,
    isAnswer: false,
    matchesAnswerKind: false,
    coversAllTerms: false,
  };
}

/** The sentences of passages that can be quoted, alone or with those before them. */
export function toCandidates(passages: readonly EvidencePassage[], options: CandidateOptions): EvidenceCandidate[] {
  const { language, used, query, isFurther = false } = options;
  const asked = searchTerms(contentQuery(query));
  const mayAddress = asksForAdvice(query);
  return passages.flatMap((passage) => {
    const { source, passageId, score } = passage;
    const sentences = splitSentences(passage.text, language).map(({ text }) => text);
    return sentences.flatMap((text, at): EvidenceCandidate[] => {
      if (used.has(text) && !isFurther) return [];
      const isAlone = isReadable(text, language, mayAddress);
      if (!isAlone && !dependsOnPrevious(text, language)) return [];
      const needsPreceding = !isAlone || beginsWithContrast(text);
      const preceding = needsPreceding ? findPreceding(sentences, at, options) : [];
      if (!isAlone && preceding === undefined) return [];
      const before = (preceding ?? []).map((index) => ({
        source,
        passageId,
        score,
        text: sentences[index] ?? "",
        at: index,
      }));
      return [toCandidate(passage, at, { preceding: before, text, asked })];
    });
  });
}

const MAX_OVERLAP = 0.65;
/** Two sentences that share less than this, apart from the words of the question, make different statements. */
const MAX_OVERLAP_BEYOND_QUESTION = 0.5;

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common += 1;
  return common / Math.max(1, Math.min(a.size, b.size));
}

/** Whether two sentences contain almost the same terms. */
export const hasSimilarTerms = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => overlap(a, b) > MAX_OVERLAP;

/** Whether two sentences make the same statement, apart from the words of the question. */
export function isSameStatement(a: ReadonlySet<string>, b: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  if (!hasSimilarTerms(a, b)) return false;
  const beyond = (terms: ReadonlySet<string>) => new Set([...terms].filter((term) => !asked.has(term)));
  const [ofA, ofB] = [beyond(a), beyond(b)];
  return ofA.size === 0 || ofB.size === 0 || overlap(ofA, ofB) > MAX_OVERLAP_BEYOND_QUESTION;
}

export const containsSentence = (sentences: readonly EvidenceSentence[], one: EvidenceSentence) =>
  sentences.some(
    ({ source, passageId, text }) => text === one.text && passageId === one.passageId && source === one.source,
  );

/** A sentence, preceded by those that must be quoted with it and are not in the list yet. */
export function withPreceding(
  candidate: EvidenceCandidate,
  sentences: readonly EvidenceSentence[],
): EvidenceSentence[] {
  const { source, passageId, text, at, score, preceding, isInCoveringSection = false } = candidate;
  return [
    ...preceding
      .filter((one) => !containsSentence(sentences, one))
      .map((one) => ({ ...one, score, isInCoveringSection })),
    { source, passageId, text, at, score, isInCoveringSection },
  ];
}
