import type { Candidate } from "../generate/candidates.ts";
import { isGeneralWord, type Term, type TermIndex } from "../source/terms.ts";
import { bareName, contentStems, phraseKey } from "#shared/text/words.ts";

/** A term this frequent, and in this share of the sentences, is the subject of the whole source. */
const MIN_COUNT = 8;
const MIN_SHARE = 0.06;
/** A term in more than this share of the sentences would answer nearly any question. */
const UBIQUITOUS_SHARE = 0.18;
const UBIQUITY_PENALTY = 0.3;

const EXPLANATORY_STYLE = /^(?:definition|term|short_form|list)$/;

/**
 * The subject of the whole source, such as "the trustee" in a handbook for trustees. As an answer it fits any question,
 * and a question about it alone has many answers.
 */
export class DocumentFrequency {
  readonly #counts = new Map<string, number>();
  readonly #stems = new Set<string>();
  readonly #sentences: number;

  constructor(terms: TermIndex, sentences: number) {
    this.#sentences = sentences;
    for (const { key, count } of terms.filter(({ count: n }) => n > MIN_COUNT && n > sentences * MIN_SHARE)) {
      this.#counts.set(key, count);
      if (count > sentences * UBIQUITOUS_SHARE) for (const stem of contentStems(key)) this.#stems.add(stem);
    }
  }

  /** The penalty for asking for or only about the source's subject; Infinity if the card is useless. */
  ubiquityPenalty({ style, question, answer, fact }: Candidate, questionTerms: readonly Term[]): number {
    const namesOther = questionTerms.some(({ key }) => !this.#counts.has(key));
    if (style === "fact" && !namesOther && this.#hasFewContentWords(question)) return Number.POSITIVE_INFINITY;
    const key = phraseKey(bareName(answer));
    const count = EXPLANATORY_STYLE.test(style) ? 0 : (this.#counts.get(key) ?? 0);
    if (count === 0) return 0;
    const isEmphasised = fact.emphasised.some((emphasised) => phraseKey(emphasised) === key);
    return count > this.#sentences * UBIQUITOUS_SHARE && !isEmphasised ? Number.POSITIVE_INFINITY : UBIQUITY_PENALTY;
  }

  /**
   * The penalty in a deck that doesn't have to be full: a blank for the source's subject, or a deadline of one duty
   * among many.
   */
  penalty({ style, question, answer }: Candidate): number {
    if (style === "cloze" || style === "fact")
      return this.#counts.has(phraseKey(bareName(answer))) ? 3 * UBIQUITY_PENALTY : 0;
    if (style !== "when") return 0;
    const contentWords = contentStems(question).filter((stem) => !this.#stems.has(stem) && !isGeneralWord(stem));
    return new Set(contentWords).size < 3 ? UBIQUITY_PENALTY : 0;
  }

  /** "What must the trustee make?" has few words besides the source's subject. */
  #hasFewContentWords(question: string): boolean {
    if (this.#stems.size === 0 || /^what (?:is|are) (?:the |an? )?\S+\?$/i.test(question)) return false;
    const stems = new Set(contentStems(question));
    const contentWords = [...stems].filter((stem) => !this.#stems.has(stem) && !isGeneralWord(stem));
    // "What should the trustee regularly review?": a question about a duty needs more context.
    const least = /^what (?:must|should|shall|may|can) /i.test(question) ? 3 : 2;
    return contentWords.length < least && contentWords.length < stems.size;
  }
}
