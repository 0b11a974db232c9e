import { blankAt, contextsBefore } from "./cloze.ts";
import type { Candidate } from "./candidates.ts";
import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { refersOutside } from "../source/sentence-rejection.ts";
import { nounPhrases, isVagueWord } from "../source/terms.ts";
import { type Token, wordAt } from "#shared/text/tokens.ts";
import { isFinite, mainVerb } from "#shared/text/verbs.ts";
import { contentStems, singular } from "#shared/text/words.ts";

/** Limit for one sentence, besides the blanks for its terms. */
const MAX_BLANKS = 3;
/** Limit for a sentence that depends on the previous one. */
const MAX_DEPENDENT_BLANKS = 2;

/** "the same area", "a specific activity": a blank for them is impossible to guess. */
const UNINFORMATIVE =
  /^(?:same|specific|certain|different|various|particular|several|main|whole|ultimate|similar|other)$/;

/** "at a minimum", "nothing more", "in lieu". */
const EMPTY_FIRST_WORD =
  /^(?:minimum|maximum|nothing|something|anything|everything|everyone|someone|anyone|others?|accordance|lieu|behalf|order|regard|respect|terms|connection|conjunction|view|spite|light|favou?r|means|course|extent|advance|practice|question)$/;

const isTooVague = (phrase: readonly Token[]) =>
  UNINFORMATIVE.test(phrase[0]?.lower ?? "") ||
  EMPTY_FIRST_WORD.test(phrase[0]?.lower ?? "") ||
  phrase.every((t) => isVagueWord(singular(t.lower))) ||
  (phrase.length === 1 && (phrase[0]?.lower.length ?? 0) < 4);

/** "Most animals and ____": one of several things. */
function isListed(phrase: readonly Token[], { tokens }: Fact): boolean {
  const [first, last] = [phrase[0], phrase.at(-1)];
  const before = wordAt(tokens, (first ? tokens.indexOf(first) : 0) - 1);
  const after = wordAt(tokens, (last ? tokens.indexOf(last) : 0) + 1);
  return /^(?:and|or|their|its)$/.test(before) || /^(?:and|or)$/.test(after);
}

/** Content after the verb is preferred to the subject. */
function rankOf(phrase: readonly Token[], fact: Fact, lexicon: Lexicon): number {
  const start = phrase[0]?.start ?? 0;
  const verb = fact.clause?.verbs[0]?.start ?? 0;
  const term = lexicon.terms.get(phrase.map((t) => t.text).join(" "));
  return (start > verb ? 1 : 0) + (phrase.length > 1 ? 0.5 : 0) + (term?.weight ?? 0);
}

/** The phrases that a blank may hide, best first. */
const rankedPhrases = (fact: Fact, lexicon: Lexicon) =>
  nounPhrases(fact.tokens)
    .filter((phrase) => !isTooVague(phrase) && !isListed(phrase, fact))
    .toSorted((a, b) => rankOf(b, fact, lexicon) - rankOf(a, fact, lexicon));

/** "the test set" at the end of a label isn't a verb. */
const hasVerb = ({ tokens }: Fact) => tokens.some((_, i) => i > 0 && i < tokens.length - 2 && isFinite(tokens, i));

/** Cloze cards for any content of a sentence, for dense decks and for texts without anything better. */
export function askForDenseDeck(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (fact.needsContext) return makeDependentBlanks(fact, lexicon);
  if (!fact.isSelfContained || !hasVerb(fact)) return [];
  return rankedPhrases(fact, lexicon)
    .flatMap((phrase) => blankAt(fact, phrase, lexicon) ?? [])
    .slice(0, MAX_BLANKS);
}

const MIN_CONTENT_WORDS = 5;

/** Blanks for a sentence that refers to the previous one, with the previous sentence as context. */
function makeDependentBlanks(fact: Fact, lexicon: Lexicon): Candidate[] {
  const { previous, isPart } = fact;
  // "The T is an example": the sentence itself must have content.
  if (new Set(contentStems(fact.text)).size < MIN_CONTENT_WORDS || fact.text.endsWith(":") || refersOutside(fact.text))
    return [];
  if (isPart || previous?.isSelfContained !== true || (fact.clause === undefined && mainVerb(fact.tokens) < 1))
    return [];
  const contexts = contextsBefore(fact, previous.text);
  return rankedPhrases(fact, lexicon)
    .flatMap((phrase) => {
      for (const before of contexts) {
        const found = blankAt(fact, phrase, lexicon, { before, isSparse: false });
        if (found) return [found];
      }
      return [];
    })
    .slice(0, MAX_DEPENDENT_BLANKS);
}

/** "The ____ signals to the enzyme": nothing before the blank says which. */
const opensFact = (phrase: readonly Token[], { tokens }: Fact) =>
  wordAt(tokens, 0) === "the" && phrase[0] !== undefined && phrase[0] === tokens[1];

const MIN_SPARSE_WORDS = 3;

/** A statement that doesn't refer elsewhere. */
const isInformative = ({ isSelfContained, needsContext, text, tokens }: Fact) =>
  (isSelfContained || needsContext) &&
  !text.endsWith(":") &&
  !refersOutside(text) &&
  mainVerb(tokens) > 0 &&
  new Set(contentStems(text)).size >= MIN_SPARSE_WORDS;

/** One blank for a sentence without any other card, for dense decks. */
export function askLastResort(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!isInformative(fact)) return [];
  const { previous } = fact;
  const contexts = previous?.isSelfContained === true ? contextsBefore(fact, previous.text) : [];
  const allContexts = fact.isSelfContained ? ["", ...contexts] : contexts;
  for (const phrase of rankedPhrases(fact, lexicon).filter((candidate) => !opensFact(candidate, fact))) {
    for (const before of allContexts) {
      const found = blankAt(fact, phrase, lexicon, { before, isSparse: true });
      if (found) return [{ ...found, isSparse: true }];
    }
  }
  return [];
}
