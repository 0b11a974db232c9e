import { contentQuery, isGermanQuestion } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { isStopWord } from "#shared/text/words.ts";

/** A reference such as "(Tulving, 1972)" or "(1956)" dates a publication. */
const withoutReferences = (text: string) => text.replaceAll(/\([^()]*\b(?:1[5-9]|20)\d\d[a-z]?\b[^()]*\)/gu, " ");

const MONTH =
  "January|February|March|April|May|June|July|August|September|October|November|December|" +
  "Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember";
/** "March 4, 1929", "November 1928" and "in 1928" date an event; "of 1600 workers" counts. */
const EVENT_DATE = new RegExp(
  String.raw`\b(?:${MONTH})\s(?:\d{1,2}\b,?\s?)?(?:\d{4}\b)?|(?<=\b(?:in|of|by|since|until|from|during|before|after|im|seit|Jahre?)\s)(?:1[5-9]|20)\d\d\b(?!\s+\p{L}+s\b)`,
  "giu",
);

const withoutDates = (text: string) => withoutReferences(text).replaceAll(EVENT_DATE, " ");

const COUNT_WORD =
  "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|" +
  "seventy|eighty|ninety|hundred|thousand|million|billion|half|third|quarter|dozen|" +
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|hundert|tausend|Hälfte|Million(?:en)?";
const VAGUE_NUMBER = "one|couple of|several|few|most|all|none";
const NUMBER_WORD = `${VAGUE_NUMBER}|${COUNT_WORD}`;
const AMOUNT = new RegExp(String.raw`\d|\b(?:${COUNT_WORD}|most|all|none)\b`, "iu");
/** Units of time, in English and German. */
const TIME =
  "seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|" +
  "Sekunden?|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?";
const UNIT =
  "times|fold|percent|feet|foot|inch(?:es)?|miles?|yards?|acres?|\\p{L}*met(?:er|re)s?|\\p{L}*grams?|tons?|pounds?|degrees?|" +
  `lit(?:er|re)s?|Kilogramm|Tonnen|Grad|Mal|Prozent|Fuß|Zoll|${TIME}`;
/** "two miles", but not "two categories". */
const MEASURE = new RegExp(String.raw`\d|\b(?:${COUNT_WORD})\b[\s-]+(?:\p{L}+[\s-]+)?(?:${UNIT})\b`, "iu");
const NUMBER = new RegExp(String.raw`\d|\b(?:${NUMBER_WORD})\b`, "iu");
const WHOLE_NUMBER = new RegExp(String.raw`^(?:.*\d.*|${NUMBER_WORD})$`, "iu");

/** Whether a word is a number, in figures or written out. */
export const isNumberWord = (word: string): boolean => WHOLE_NUMBER.test(word);
const COUNT = new RegExp(String.raw`\d|\b(?:${COUNT_WORD})\b`, "iu");
const DURATION = new RegExp(
  String.raw`(?:\d|\b(?:${NUMBER_WORD}|an?|eine?)\b)[\s\S]{0,30}\b(?:milliseconds?|nights?|Tag|${TIME})\b`,
  "iu",
);
/** "40 nucleotides per second", "within two days". */
const RATE = new RegExp(
  String.raw`(?:\d|\b(?:${COUNT_WORD})\b)[^.;]{0,60}\b(?:per|an?|each|every|pro|jede[nrs]?)\s(?:${TIME})\b|\b(?:in|within|every|innerhalb von|alle)\s(?:[\p{L}]+\s)?(?:\d[\d.,]*|${NUMBER_WORD}|an?)\s(?:${TIME})\b|\d\s?(?:km\/h|m\/s|mph)\b`,
  "iu",
);
const SHARE = /\d\s*(?:%|percent|per cent|Prozent)|\b(?:half|third|quarter|rate of|Hälfte)\b/iu;
const DATE =
  /\b1\d{3}s?\b|\b20\d{2}s?\b|\bcentury\b|Jahrhundert|\b(?:January|February|March|April|June|July|August|September|October|November|December|Januar|Februar|März|Juni|Juli|Oktober|Dezember)\b/u;
const NAME = /\p{Lu}[\p{Ll}.]+(?:[\s-]\p{Lu}[\p{L}.]+)+|(?<=[\p{Ll},;]\s)\p{Lu}\p{Ll}{2,}/gu;

type ExcerptCheck = (excerpt: string) => boolean;

const COUNTED = /\bhow many\s+(\p{L}+)|\bwie ?viele?\s+(\p{L}+)/iu;

/** A count: a number, or "most", "one" and the like with the word for what is counted soon after it. */
function countCheckFor(question: string): ExcerptCheck {
  const [, english, german] = COUNTED.exec(question) ?? [];
  const counted = searchTerms(english ?? german ?? "").map((term) => term.replaceAll(/[^\p{L}\p{N}]/gu, ""));
  const vague = new RegExp(
    String.raw`\b(?:${VAGUE_NUMBER})\s+(?:\p{L}+\s+){0,3}(?:${counted.join("|") || "$^"})`,
    "iu",
  );
  return (text) => COUNT.test(removeGivenNumbers(withoutDates(text), question)) || vague.test(text);
}

/** Removes numbers that the question itself contains, because they are not its answer. */
function removeGivenNumbers(text: string, question: string): string {
  const given = new Set(question.match(/\d[\d.,]*/gu)?.map((number) => number.replace(/[.,]$/u, "")) ?? []);
  return text.replaceAll(/\d[\d.,]*\d|\d/gu, (number) => (given.has(number) ? " " : number));
}

function hasNewName(text: string, question: string): boolean {
  const asked = new Set(searchTerms(question));
  return (text.match(NAME) ?? []).some((name) => searchTerms(name).some((term) => !asked.has(term)));
}

/** Whether a sentence with the first word that the question asks about also has a name of which the question has no part. */
export function hasNameBesideAction(text: string, question: string): boolean {
  const asked = new Set(searchTerms(question));
  const action = searchTerms(contentQuery(question))[0] ?? "";
  const isNew = (name: string) => searchTerms(name).every((term) => !asked.has(term));
  return text
    .split(SENTENCE_BREAK)
    .some((sentence) => searchTerms(sentence).includes(action) && (sentence.match(NAME) ?? []).some(isNew));
}
const SENTENCE_BREAK = /(?<=[.!?]["”’)]*)\s+(?=\p{Lu})/u;

const ASKS_PERSON = /^\s*(?:\p{L}+[,\s]+){0,3}who\b(?!\s+(?:is|was)\s+\p{Lu})|^\s*wer\b/iu;

/** "Which country …", "at which university …": the answer is a name. */
const ASKS_NAME =
  /^\s*(?:\p{L}+\s)?(?:which|what) (?:country|continent|city|town|state|university|college|school|company|firm|newspaper|language)\b/iu;

/** "When does a cell divide?" and "what happens when …" ask for no date. */
const PRESENT = "(?:do|does|is|are|can|should|must|may|will|would)";
/**
 * "Wann öffnet sich das Tor?" asks for no date either. Present forms end in "t" as a few past forms do; "ist" and "hat"
 * also begin the perfect, as in "Wann ist er gestorben?".
 */
const GERMAN_PRESENT = String.raw`(?:wird|werden|kann|können|muss|müssen|soll|sollen|darf|dürfen|(?!(?:ist|hat|\p{L}*(?:bat|bot|tat|galt|riet|trat|hielt|schritt|schnitt|stritt))(?!\p{L}))\p{L}+t)(?!\p{L})`;
/** Of events that have a date or a condition: "Wann beginnt die Prüfung?", "Wann beginnt die Mitose?" */
const GERMAN_EVENT = "(?:findet|beginnt|endet|startet|stirbt|tritt)(?!\\p{L})";

const ASKED: readonly [RegExp, (question: string) => ExcerptCheck][] = [
  [/\bhow long\b|\bwie lange?\b/iu, () => (text) => DURATION.test(text)],
  [
    /\b(?:what|which) (?:percentage|percent|share|fraction|proportion)\b|\brate\b.*\bin \d{4}|\bwie ?viel prozent\b/iu,
    (question) => (text) => SHARE.test(removeGivenNumbers(text, question)),
  ],
  [/\bhow fast\b|\bwie schnell\b/iu, (question) => (text) => RATE.test(removeGivenNumbers(text, question))],
  [
    /\bhow (?:far|high|large|big|old|tall|deep|heavy)\b|\bwie (?:weit|hoch|groß|alt|tief|schwer)\b/iu,
    (question) => (text) => MEASURE.test(removeGivenNumbers(withoutDates(text), question)),
  ],
  [/\bhow much\b/iu, (question) => (text) => AMOUNT.test(removeGivenNumbers(withoutDates(text), question))],
  [/\bhow many\b|\bwie ?viele?\b/iu, countCheckFor],
  [
    /\bhow often\b|\bwie oft\b/iu,
    (question) => (text) => NUMBER.test(removeGivenNumbers(withoutDates(text), question)),
  ],
  [
    new RegExp(
      String.raw`^\s*(?:\p{L}+[,\s]+)?when\b(?!\s+${PRESENT}\b)|\bwhen\s+(?:did|was|were|had)\b|\b(?:what|which) (?:years?|dates?|decades?|century)\b|\bwann\b(?!\s+${GERMAN_PRESENT})|\bwelche[nms]? jahr`,
      "iu",
    ),
    (question) => (text) => DATE.test(removeGivenNumbers(withoutReferences(text), question)),
  ],
  [ASKS_PERSON, (question) => (text) => hasNewName(text, question)],
  [ASKS_NAME, (question) => (text) => hasNewName(text, question)],
];

/** Whether a question asks for a person. */
export const asksPerson = (question: string): boolean => ASKS_PERSON.test(question);

/**
 * The check that an excerpt contains the number, date or name that a question asks for; undefined if the question
 * asks for something else.
 */
export function quantityCheckFor(question: string): ExcerptCheck | undefined {
  return ASKED.find(([pattern]) => pattern.test(question))?.[1](question);
}

const LABEL = "I{1,3}|I?V|VI{0,3}|[A-HJ-Z]";
const LABELLED = new RegExp(String.raw`(?<!\p{L})(\p{L}{3,})[\s-](${LABEL})(?![\p{L}\p{N}.])`, "gu");

/** "explain osmosis I dont get it": here "I" is the student instead of a label. */
const PRONOUN_I =
  /(?<![\p{L}-])I(?=\s+(?:am|do|don['’]?t|have|haven['’]?t|can|can['’]?t|cannot|get|need|want|know|think|mean|understand|just|really|still|never)(?!\p{L}))/gu;

const labelPattern = (name: string, label: string, flags: string) =>
  new RegExp(String.raw`(?<!\p{L})${name}s?[\s-]+(${label})(?![\p{L}\p{N}])`, flags);

/** Whether a text uses the name with any label. */
const isLabelledIn = (name: string, texts: readonly string[]) => {
  const pattern = labelPattern(name, LABEL, "giu");
  return texts.some((text) => [...text.matchAll(pattern)].some(([, label = ""]) => label === label.toUpperCase()));
};

/**
 * Patterns for names with a label, such as "photosystem I", because search terms lose the label. A capital letter after
 * a name counts as a label only if some text uses the name with a label.
 */
export function labelledNames(question: string, texts: readonly string[]): RegExp[] {
  const labelled = [...question.replaceAll(PRONOUN_I, " ").matchAll(LABELLED)].filter(
    ([, name = ""]) => !isStopWord(name.toLowerCase()) && isLabelledIn(name, texts),
  );
  return labelled.map(([, name = "", label = ""]) => labelPattern(name, label, "iu"));
}

const REASON =
  /\b(?:because|since|so that|thus|therefore|hence|due to|in order to|as a result|result of|for (?:this|the same) reasons?|so|why|explains?|leads? to|causes?d?)\b|\b(?:weil|denn|daher|deshalb|damit|sodass|aufgrund|wegen)\b/iu;
const WHY = /^\s*(?:\p{L}+[,\s]+){0,2}(?:why|how come|what (?:makes|causes?)|warum|wieso|weshalb)\b/iu;
const MANNER =
  /\b(?:by (?:\p{L}+ )?\p{L}+ing|through|using|via|with the help of|first|then|next|finally|when|as|indem|durch|mithilfe|zuerst|dann)\b/iu;

const CONDITION =
  /\b(?:when(?:ever)?|if|unless|once|as soon as|after|before|during|until|while|reach(?:es)?|exceeds?)\b|\b(?:wenn|falls|sobald|sofern|solange|sooft|nachdem|bevor|während|bis|bei|beim|erst|nach|vor|ab|erreicht|überschreitet)(?!\p{L})/iu;
const ASKS_CONDITION = new RegExp(
  String.raw`^\s*(?:\p{L}+[,\s]+){0,2}(?:when\s+${PRESENT}\b|wann\s+(?!${GERMAN_EVENT})${GERMAN_PRESENT})`,
  "iu",
);

/** Whether a question asks why, so that an excerpt with a reason answers it completely. */
export const asksWhy = (question: string): boolean => WHY.test(question);

/** The check that an excerpt has the form of an answer: a reason for "why", a condition for "when does", a manner for "how". */
export function formCheckFor(question: string): ExcerptCheck | undefined {
  if (asksWhy(question)) return (text) => REASON.test(text);
  if (ASKS_CONDITION.test(question)) return (text) => CONDITION.test(text);
  if (/^\s*(?:\p{L}+[,\s]+){0,2}how (?:do|does|did|is|are|was|were|can)\b|^\s*wie\b/iu.test(question))
    return (text) => MANNER.test(text);
  return undefined;
}

/** Words after which a capital letter begins a sentence. */
const SENTENCE_START = /(?:^|[.!?:]\s+|["“„(]\s*)$/u;

/** The terms of the names, years and numbers in a question; an answer must contain every one. */
export function requiredTerms(question: string): string[] {
  const named: string[] = [];
  const isGerman = isGermanQuestion(question);
  const content = new Set(searchTerms(contentQuery(question)));
  for (const match of question.matchAll(/\d[\d.,]*\d|\d|[\p{L}][\p{L}'’]*/gu)) {
    const [word] = match;
    const isNumber = /^\d/u.test(word);
    const isCapital =
      /^\p{Lu}/u.test(word) && !isGerman && word.length > 2 && !SENTENCE_START.test(question.slice(0, match.index));
    if (isStopWord(word.toLowerCase())) continue;
    if (isNumber || isCapital) named.push(...searchTerms(word).filter((term) => content.has(term)));
  }
  return [...new Set(named)];
}
