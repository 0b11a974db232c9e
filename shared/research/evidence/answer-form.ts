import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";

type HasForm = (sentence: string) => boolean;

const NUMBER_WORD =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\p{L}+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|dozens?|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert\\p{L}*|tausend\\p{L}*|millionen|milliarden)";
const QUANTITY = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:\p{N}[\p{N}.,–-]*|${NUMBER_WORD})(?![\p{L}])`, "giu");
/** "In 476.", but not "in 476 towns". */
const EARLY_YEAR =
  /(?<!\p{L})(?:in|by|since|around|until|year|jahre?|um|seit|bis)\s+\d{3}(?=\s*(?:[.,;:)]|$)|\s+(?:when|after|and|as|with|als|nach|und)(?!\p{L}))/iu;
const PERIOD =
  /\p{L}{3,}(?:assic|aceous|[aeio]cene)(?!\p{L})|\b(?:in|on|by|since|until) may\b|\bmay \d|(?<!\p{L})mai(?!\p{L})/iu;
const TIME =
  /(?<!\p{N})(?:1\d{3}|20\d{2})s?(?!\p{N})|\b(?:centur(?:y|ies)|decades?|\d+ (?:years?|days?|weeks?|months?|hours?|minutes?|seconds?)|years? ago|january|february|march \d|april|june|july|august|september|october|november|december|bc|ad|bce|prehistoric|era|period|epoch)\b|(?<!\p{L})(?:jahrhunderts?|jahren?|tagen?|wochen?|stunden?|minuten?|monaten?|januar|februar|märz|juni|juli|oktober|dezember)(?!\p{L})/iu;
/** "When a cell divides": also a time, for something that happens repeatedly. */
const OCCASION =
  /\b(?:when|while|once|after|before|during|until|as soon as)\b|(?<!\p{L})(?:wenn|während|sobald|nachdem|bevor)(?!\p{L})/iu;
const PLACE = /\b(?:in|at|near|on|from|within|inside|between|outside|along|throughout)\s+(?:the\s+|an?\s+)?\p{L}/u;
const PERSON =
  /(?<=\S\s+|^)\p{Lu}[\p{L}.’'-]*(?:\s(?:van|von|de|der|da|di|la|al|bin)\s|\s)\p{Lu}\p{L}+|\bby\s+\p{Lu}\p{L}+/u;

const HOW_MANY =
  /(?<!\p{L})(?:how\s+(?:many|much)|what\s+(?:number|amount|percentage|share)\s+of|wie\s+viele?)\s+(.+)$/iu;
const VERB =
  /^(?:do|does|did|is|are|was|were|can|could|will|would|has|have|had|should|may|must|hat|haben|ist|sind|gibt|kann|wird|werden)$/iu;
const AMOUNT = /(?<!\p{L})(?:number|amount|share|percentage|(?:an)?zahl|anteil)(?!\p{L})/iu;
/** The maximum number of words between a number and the counted noun: "36 molecules of ATP". */
const MAX_GAP = 4;

/**
 * Whether a sentence counts one of the nouns: "two ATP molecules", "90 percent of the ATP", "the number of ATP
 * molecules is 36".
 */
function countsThing(sentence: string, nouns: readonly string[]): boolean {
  const names = (words: readonly string[]) =>
    words.some((word) => searchTerms(word).some((term) => nouns.includes(term)));
  return [...sentence.matchAll(QUANTITY)].some(({ index, 0: number }) => {
    const before = sentence.slice(0, index);
    return (
      names(wordsOf(sentence.slice(index + number.length)).slice(0, MAX_GAP + 2)) ||
      (AMOUNT.test(before) && names(wordsOf(before).slice(-MAX_GAP - 2)))
    );
  });
}

/**
 * The nouns that a question counts: "ATP" in "How much ATP does it give?". If no known verb follows, one of the first
 * two words: "bones" in "How many bones make up the spine?".
 */
function countedThings(question: string): readonly string[] {
  const [, rest] = HOW_MANY.exec(question) ?? [];
  const words = wordsOf(rest ?? "");
  const verb = words.findIndex((word) => VERB.test(word));
  return verb === -1 ? searchTerms(words.slice(0, 2).join(" ")) : searchTerms(words.slice(0, verb).join(" ")).slice(-1);
}

/** Asks for a figure if a verb follows: "How long is …?", but not "How long-term memory is formed". */
const HOW_LARGE =
  /(?<!\p{L})(?:how\s+(?:long|old|tall|high|large|far|often|fast|big|deep|heavy|wide)\s+(?:do|does|did|is|are|was|were|can|could|will|would|has|have|had|should|may|must)|wie\s+(?:lange|alt|hoch|groß|weit|oft|schnell|tief|schwer|breit))(?!\p{L})/iu;
const FREQUENCY =
  /(?<!\p{L})(?:every|each|once|twice|daily|weekly|monthly|yearly|annually|jede[nrs]?|einmal|zweimal|täglich|wöchentlich|monatlich|jährlich)(?!\p{L})/iu;

const hasQuantity: HasForm = (sentence) => sentence.search(QUANTITY) !== -1;
const hasTime: HasForm = (sentence) => TIME.test(sentence) || EARLY_YEAR.test(sentence) || PERIOD.test(sentence);

/**
 * The form that an answer must have: a time for "when", a number with the counted noun for "how many", a figure for
 * "how long". Undefined if no form is required.
 */
export function requiredForm(question: string): HasForm | undefined {
  if (HOW_MANY.test(question)) {
    const things = countedThings(question);
    return things.length === 0 ? hasQuantity : (sentence) => countsThing(sentence, things);
  }
  if (HOW_LARGE.test(question)) return (sentence) => hasQuantity(sentence) || FREQUENCY.test(sentence);
  if (
    /^\s*(?:in\s+)?(?:what|which|welchem)\s+(?:year|century|jahr|jahrhundert)|^\s*when\s+(?:was|were|did)\b|^\s*wann\s+(?:wurden?|war|starb|begann|endete)/iu.test(
      question,
    )
  )
    return hasTime;
  if (/^\s*(?:when|wann)(?!\p{L})/iu.test(question)) return (sentence) => hasTime(sentence) || OCCASION.test(sentence);
  return undefined;
}

/** The form that raises the score of an answer: a place for "where", a person for "who". */
export function preferredForm(question: string): HasForm | undefined {
  if (
    /^\s*(?:where|wo|(?:in|on|at)\s+(?:what|which)\s+(?:city|country|place|state|county|continent))(?!\p{L})/iu.test(
      question,
    )
  )
    return (sentence) => PLACE.test(sentence);
  if (/^\s*(?:who|whom|whose|wer|wen|wem)(?!\p{L})/iu.test(question)) return (sentence) => PERSON.test(sentence);
  return undefined;
}
