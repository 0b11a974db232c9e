import { isStopWord, wordsOf } from "./words.ts";

/** Words of a question that ask for an action, such as a summary, and are not about the source's content. */
const QUERY_STOP_WORDS = new Set(
  (
    "summarise summarize summary summaries overview outline recap explain explanation describe tell discuss simplify " +
    "elaborate clarify translate quiz test ask plan help key main important point points idea ideas thing things gist " +
    "page document file pdf note notes lecture chapter source sources text selection passage paragraph video slide " +
    "slides please briefly short simple simply word words marked detail details example give list make show say says " +
    "mean means selected " +
    "difference differences distinction compare differ differs " +
    "hey hi hello ok okay please pls plz thx thanks lol like really actually exactly basically again get understand know " +
    "dont im ive cant whats hows whos wat teh u ur r kinda sorta wanna gonna gimme quick question tell dunno idk yo uh um " +
    "week today one ones"
  ).split(" "),
);

/** The same for German, with German function words. English function words are already removed as stop words. */
const GERMAN_QUERY_STOP_WORDS = new Set(
  (
    "fasse fass zusammen zusammenfassung zusammenfassen überblick erkläre erklär erklären erklärung beschreibe " +
    "beschreiben nenne nennen sage sag sagen sagt frag frage fragen ab plane plan woche heute hilf übersetze kurz bitte " +
    "wichtig wichtige wichtigsten punkte idee ideen seite dokument datei notiz notizen vorlesung kapitel quelle quellen " +
    "text auswahl stelle absatz folie folien wort wörter markierte markierten sprache einfach beispiel gib zeige zeig liste " +
    "bedeutet heißt steht geht worum ausgewählte ausgewählten " +
    "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren wird " +
    "werden wurde wurden sein hat haben hatte kann können muss müssen soll sollen darf dürfen ich du er sie es wir ihr " +
    "mich dich mir dir uns euch mein meine meinen meiner dein deine deinen deiner sich dazu davon dafür daran darin " +
    "was wer wie wo wann warum wieso weshalb welche welcher welches welchen wozu wodurch womit von vom zu zum zur mit " +
    "bei nach aus auf an am im in für über unter zwischen durch gegen ohne um als auch so noch nur dass wenn weil " +
    "dieser diese dieses diesen diesem man mehr"
  ).split(" "),
);

/** Words that make a question German but are also names: "Emperor Wen". */
const GERMAN_PRONOUNS = new Set(["wen", "wem", "wessen"]);

/** Whether a word is a query stop word in English or German. */
export const isQueryStopWord = (word: string): boolean =>
  QUERY_STOP_WORDS.has(word) || GERMAN_QUERY_STOP_WORDS.has(word);

/** Counts stop words, because some German ones ("die", "man") are also English content words. */
function isGerman(words: readonly string[]): boolean {
  const german = words.filter((word) => GERMAN_QUERY_STOP_WORDS.has(word) || GERMAN_PRONOUNS.has(word)).length;
  return german > words.filter((word) => isStopWord(word) || QUERY_STOP_WORDS.has(word)).length;
}

/** "Say it in Spanish": the language of the answer is not about the source's content. */
const TARGET_LANGUAGE =
  /^((?:(?:please|bitte)\s+)?(?:say|translate|sag|sage|übersetze)(?!\p{L}).*?)(?:\b(?:in|to|into)\s+|:\s*)\p{L}+(?:[ -]\p{L}+)?(?=\s+what\b|[.?!]?\s*$)/iu;

/** Whether a question is written in German, where every noun begins with a capital letter. */
export const isGermanQuestion = (question: string): boolean => isGerman(wordsOf(question));

/** "the word for please", "what does actually mean", "how do you say thanks in French", "wie sagt man bitte auf …". */
const ASKED_WORD = [
  /\b(?:word for|Wort für) (?!word\b)(\p{L}+)/giu,
  /\bdoes (\p{L}+) mean\b/giu,
  /\bhow (?:do|would|can) (?:you|I|we|one) say (\p{L}+)(?= in\b)/giu,
  /\b(?:sagt man|heißt) (?!(?:das|es|er|sie|dies\p{L}*) )(\p{L}+)(?= auf\b)/giu,
  /(?<!\p{L})["“„‘'](\p{L}+)["”“’'](?!\p{L})/gu,
];

/** The words, in lower case, that a question asks about as words. They are content even if they are stop words. */
export const wordsAskedAbout = (question: string): ReadonlySet<string> =>
  new Set(ASKED_WORD.flatMap((pattern) => [...question.matchAll(pattern)].flatMap(([, word = ""]) => wordsOf(word))));

/** The content words of a question, without query stop words and German function words. */
export function contentQuery(question: string): string {
  const words = wordsOf(question.replace(TARGET_LANGUAGE, "$1"));
  const stopWords = isGerman(words) ? GERMAN_QUERY_STOP_WORDS : QUERY_STOP_WORDS;
  const asked = wordsAskedAbout(question);
  return words.filter((word) => !stopWords.has(word) || asked.has(word)).join(" ");
}

const WHOLE_SOURCE =
  /\b(?:this|diese[mnrs]?)\s+(?:whole\s+|ganze[mnrs]?\s+)?(?:page|document|file|pdf|lecture|chapter|source|text|video|seite|dokument|datei|vorlesung|kapitel|quelle)\b/iu;
const POINTS_BACK = /\b(?:it|them|that|those|dazu|davon|damit|darüber)\b/iu;

/** Whether a question names its source as a whole, so that it can be understood without the previous question. */
export const refersToWholeSource = (question: string): boolean =>
  WHOLE_SOURCE.test(question) && !POINTS_BACK.test(question);
