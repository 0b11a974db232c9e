import { searchTerms } from "#shared/text/search-terms.ts";
import { wordsOf } from "#shared/text/words.ts";

type HasForm = (sentence: string) => boolean;

const NUMBER_WORD =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?|millions?|billions?|half|dozens?|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert\\p{L}*|tausend\\p{L}*|millionen|milliarden)";
const QUANTITY = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:\p{N}[\p{N}.,–-]*|${NUMBER_WORD})(?![\p{L}])`, "giu");
const TIME =
  /(?<!\p{N})(?:1\d{3}|20\d{2})s?(?!\p{N})|\b(?:centur(?:y|ies)|decades?|\d+ (?:years?|days?|weeks?|months?|hours?|minutes?|seconds?)|years? ago|january|february|march \d|april|june|july|august|september|october|november|december|bc|ad|bce|prehistoric|era)\b|(?<!\p{L})(?:jahrhunderts?|jahren?|tagen?|monaten?|januar|februar|märz|juni|juli|oktober|dezember)(?!\p{L})/iu;
/** "When a cell divides": a time as well, of something that happens again and again. */
const OCCASION =
  /\b(?:when|while|once|after|before|during|until|as soon as)\b|(?<!\p{L})(?:wenn|während|sobald|nachdem|bevor)(?!\p{L})/iu;
const PLACE = /\b(?:in|at|near|on|from|within|inside|between|outside|along|throughout)\s+(?:the\s+|an?\s+)?\p{L}/u;
const PERSON =
  /(?<=\S\s+|^)\p{Lu}[\p{L}.’'-]*(?:\s(?:van|von|de|der|da|di|la|al|bin)\s|\s)\p{Lu}\p{L}+|\bby\s+\p{Lu}\p{L}+/u;

const HOW_MANY =
  /(?<!\p{L})(?:how\s+(?:many|much)|what\s+(?:number|amount|percentage|share)\s+of|wie\s+viele?)\s+(.+)$/iu;
const VERB =
  /^(?:do|does|did|is|are|was|were|can|could|will|would|has|have|had|should|may|must|hat|haben|ist|sind|gibt|kann|wird|werden)$/iu;
/** So many words may stand between a number and what it counts: "36 molecules of ATP". */
const MAX_GAP = 4;

/** "two ATP molecules", "90 percent of the ATP", "the number of ATP molecules". */
function countsThing(sentence: string, noun: string): boolean {
  const isNear = (start: number) =>
    wordsOf(sentence.slice(start))
      .slice(0, MAX_GAP + 2)
      .some((word) => searchTerms(word).includes(noun));
  const numbers = [...sentence.matchAll(QUANTITY)].map(({ index, 0: text }) => index + text.length);
  return numbers.some(isNear);
}

/** What a question counts: "ATP" of "How much ATP does it give?". */
function countedThing(question: string): string | undefined {
  const [, rest] = HOW_MANY.exec(question) ?? [];
  if (rest === undefined) return undefined;
  const words = wordsOf(rest);
  const verb = words.findIndex((word) => VERB.test(word));
  return searchTerms(words.slice(0, verb === -1 ? 2 : verb).join(" ")).at(-1);
}

/**
 * The form without which a sentence is no answer: a time for "when", a number beside what is counted for "how many", a
 * figure for "how long". Undefined where no form is required.
 */
export function requiredForm(question: string): HasForm | undefined {
  if (HOW_MANY.test(question)) {
    const thing = countedThing(question);
    return thing === undefined
      ? (sentence) => sentence.search(QUANTITY) !== -1
      : (sentence) => countsThing(sentence, thing);
  }
  if (
    /(?<!\p{L})(?:how\s+(?:long|old|tall|high|large|far|often|fast|big|deep|heavy|wide)|wie\s+(?:lange|alt|hoch|groß|weit|oft|schnell|tief|schwer|breit))(?!\p{L})/iu.test(
      question,
    )
  )
    return (sentence) => sentence.search(QUANTITY) !== -1;
  if (
    /^\s*(?:in\s+)?(?:what|which|welchem)\s+(?:year|century|jahr|jahrhundert)|^\s*when\s+(?:was|were|did)\b|^\s*wann\s+(?:wurden?|war|starb|begann|endete)/iu.test(
      question,
    )
  )
    return (sentence) => TIME.test(sentence);
  if (/^\s*(?:when|wann)(?!\p{L})/iu.test(question))
    return (sentence) => TIME.test(sentence) || OCCASION.test(sentence);
  return undefined;
}

/** The form that speaks for a sentence: a place for "where", a person for "who". */
export function welcomeForm(question: string): HasForm | undefined {
  if (
    /^\s*(?:where|wo|(?:in|on|at)\s+(?:what|which)\s+(?:city|country|place|state|county|continent))(?!\p{L})/iu.test(
      question,
    )
  )
    return (sentence) => PLACE.test(sentence);
  if (/^\s*(?:who|whom|whose|wer|wen|wem)(?!\p{L})/iu.test(question)) return (sentence) => PERSON.test(sentence);
  return undefined;
}
