import { blankAt, contextsBefore } from "./cloze.ts";
import type { Candidate } from "./candidates.ts";
import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { pointsAway } from "../source/sentence-rejection.ts";
import { nounPhrases, isVagueWord } from "../source/terms.ts";
import { type Token, wordAt } from "#shared/text/tokens.ts";
import { isFinite, mainVerb } from "#shared/text/verbs.ts";
import { contentStems, singular } from "#shared/text/words.ts";

/** Blanks of one sentence besides its terms. */
const MOST = 3;

/** "the same area", "a specific activity": impossible to guess. */
const UNINFORMATIVE =
  /^(?:same|specific|certain|different|various|particular|several|main|whole|ultimate|similar|other)$/;

/** "at a minimum", "nothing more", "in lieu". */
const EMPTY_STATEMENT =
  /^(?:minimum|maximum|nothing|something|anything|everything|everyone|someone|anyone|others?|accordance|lieu|behalf|order|regard|respect|terms|connection|conjunction|view|spite|light|favou?r|means|course|extent|advance|practice|question)$/;

const isLoose = (phrase: readonly Token[]) =>
  UNINFORMATIVE.test(phrase[0]?.lower ?? "") ||
  EMPTY_STATEMENT.test(phrase[0]?.lower ?? "") ||
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
  const at = phrase[0]?.start ?? 0;
  const verb = fact.clause?.verbs[0]?.start ?? 0;
  const term = lexicon.terms.get(phrase.map((t) => t.text).join(" "));
  return (at > verb ? 1 : 0) + (phrase.length > 1 ? 0.5 : 0) + (term?.weight ?? 0);
}

/** "the test set" at the end of a label isn't a verb. */
const hasVerb = ({ tokens }: Fact) => tokens.some((_, i) => i > 0 && i < tokens.length - 2 && isFinite(tokens, i));

/** Cloze cards for any content of a sentence, for decks that ask everything and for texts without anything better. */
export function askForDenseDeck(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (fact.isLeaning) return askLeaning(fact, lexicon);
  // Even a sentence with uncertain parts can have a blank.
  if (!fact.isSound || !hasVerb(fact)) return [];
  const phrases = nounPhrases(fact.tokens).filter((phrase) => !isLoose(phrase) && !isListed(phrase, fact));
  return phrases
    .toSorted((a, b) => rankOf(b, fact, lexicon) - rankOf(a, fact, lexicon))
    .flatMap((phrase) => blankAt(fact, phrase, lexicon) ?? [])
    .slice(0, MOST);
}

const MIN_CONTENT_WORDS = 5;

/** A sentence that refers to the previous one, with that as context. */
function askLeaning(fact: Fact, lexicon: Lexicon): Candidate[] {
  const { previous, isPart } = fact;
  // "The T is an example": the sentence itself must have content.
  if (new Set(contentStems(fact.text)).size < MIN_CONTENT_WORDS || fact.text.endsWith(":") || pointsAway(fact.text))
    return [];
  if (isPart || previous?.isSound !== true || (fact.clause === undefined && mainVerb(fact.tokens) < 1)) return [];
  const revealed = contextsBefore(fact, previous.text);
  const phrases = nounPhrases(fact.tokens).filter((phrase) => !isLoose(phrase) && !isListed(phrase, fact));
  return phrases
    .toSorted((a, b) => rankOf(b, fact, lexicon) - rankOf(a, fact, lexicon))
    .flatMap((phrase) => {
      for (const before of revealed) {
        const found = blankAt(fact, phrase, lexicon, { before, isSparse: false });
        if (found) return [found];
      }
      return [];
    })
    .slice(0, 2);
}

/** "The ____ signals to the enzyme": nothing before the blank says which. */
const opensFact = (phrase: readonly Token[], { tokens }: Fact) =>
  wordAt(tokens, 0) === "the" && phrase[0] !== undefined && phrase[0] === tokens[1];

const LEAST_SPARSE = 3;

/** A statement that doesn't refer elsewhere. */
const isInformative = ({ isSound, isLeaning, text, tokens }: Fact) =>
  (isSound || isLeaning) &&
  !text.endsWith(":") &&
  !pointsAway(text) &&
  mainVerb(tokens) > 0 &&
  new Set(contentStems(text)).size >= LEAST_SPARSE;

/** One blank for a sentence without any other card, for decks that ask everything. */
export function askLastResort(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!isInformative(fact)) return [];
  const { previous, tokens } = fact;
  const revealed = previous?.isSound === true ? contextsBefore(fact, previous.text) : [];
  const neighbours = fact.isSound ? ["", ...revealed] : revealed;
  const phrases = nounPhrases(tokens)
    .filter((phrase) => !isLoose(phrase) && !isListed(phrase, fact) && !opensFact(phrase, fact))
    .toSorted((a, b) => rankOf(b, fact, lexicon) - rankOf(a, fact, lexicon));
  for (const phrase of phrases) {
    for (const before of neighbours) {
      const found = blankAt(fact, phrase, lexicon, { before, isSparse: true });
      if (found) return [{ ...found, isSparse: true }];
    }
  }
  return [];
}
