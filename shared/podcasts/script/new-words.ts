import { splitSentences } from "#shared/text/sentences.ts";
import { contentStems } from "#shared/text/words.ts";

/** "This number is called its activation": the author introduces a term. */
const TERM_AFTER_CALLED =
  /\b(?:called|known as|referred to as|termed) (?:an? |the |its |their )?[“"]?((?:[\p{L}’'-]+ ?){1,3})/giu;
/** A longer emphasised text is not a term. */
const MAX_TERM_WORDS = 4;
/** A shorter word is used in several meanings. */
const MIN_WORD_CHARS = 5;
/** A word in more of the sentences is what the whole source is about. */
const MAX_SHARE = 0.1;
const MIN_COUNT = 5;

/** Words that a source introduces as terms, with the sentence that introduces them. */
export class NewWords {
  readonly #introducedBy = new Map<string, string>();
  /** The stems of each sentence that can be spoken, because each is checked many times. */
  readonly #stems: ReadonlyMap<string, readonly string[]>;

  /**
   * A word is new if the source uses it for the first time in a term that it emphasises, or after "called". `sentences`
   * are those that can be spoken, `text` is the text of the whole source, and `terms` are the terms that it emphasises.
   */
  constructor(sentences: readonly string[], text: string, terms: readonly string[]) {
    const emphasised = terms.map((term) => term.trim()).filter((term) => term.split(/\s+/u).length <= MAX_TERM_WORDS);
    this.#stems = new Map(sentences.map((sentence) => [sentence, contentStems(sentence)]));
    const used = new Set<string>();
    for (const line of text.split("\n"))
      for (const { text: sentence } of splitSentences(line)) {
        const named = [...sentence.matchAll(TERM_AFTER_CALLED)].map(({ 1: name = "" }) => name);
        const inTerms = () => [...named, ...emphasised.filter((term) => sentence.includes(term))].flatMap(contentStems);
        const unused = contentStems(sentence).filter((stem) => !used.has(stem) && stem.length >= MIN_WORD_CHARS);
        const introduced = unused.length > 0 && this.#stems.has(sentence) ? new Set(inTerms()) : new Set();
        for (const stem of unused) {
          used.add(stem);
          if (introduced.has(stem)) this.#introducedBy.set(stem, sentence);
        }
      }
    this.#removeSubjects();
  }

  /** Words that the whole source is about need no introduction. */
  #removeSubjects(): void {
    const counts = new Map<string, number>();
    for (const stems of this.#stems.values())
      for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const maxCount = Math.max(MIN_COUNT, this.#stems.size * MAX_SHARE);
    for (const stem of this.#introducedBy.keys())
      if ((counts.get(stem) ?? 0) > maxCount) this.#introducedBy.delete(stem);
  }

  #stemsOf(sentence: string): readonly string[] {
    return this.#stems.get(sentence) ?? contentStems(sentence);
  }

  /** The words that a sentence introduces. */
  listIntroduced(sentence: string): string[] {
    return this.#stemsOf(sentence).filter((stem) => this.#introducedBy.get(stem) === sentence);
  }

  /** The words of a sentence that another sentence introduces. */
  listNeeded(sentence: string): string[] {
    return this.#stemsOf(sentence).filter((stem) => (this.#introducedBy.get(stem) ?? sentence) !== sentence);
  }
}
