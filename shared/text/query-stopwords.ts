import { isStopWord, wordsOf } from "./words.ts";

/** Words about what to do with a source, not about its content. */
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
    "week today"
  ).split(" "),
);

/** The same of a question in German, with that language's words of grammar: English ones are no terms anyway. */
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

/** Whether a word says what to do with a source, in either language. */
export const isQueryStopWord = (word: string): boolean =>
  QUERY_STOP_WORDS.has(word) || GERMAN_QUERY_STOP_WORDS.has(word);

/** Some German words are English ones of matter ("die", "man"): by which small words there are more, the question is. */
function isGerman(words: readonly string[]): boolean {
  const german = words.filter((word) => GERMAN_QUERY_STOP_WORDS.has(word)).length;
  return german > words.filter((word) => isStopWord(word) || QUERY_STOP_WORDS.has(word)).length;
}

/** The language in which something is to be said is no matter of the source. */
const TARGET_LANGUAGE =
  /^((?:(?:please|bitte)\s+)?(?:say|translate|sag|sage|übersetze)(?!\p{L}).*?)(?:\b(?:in|to|into)\s+|:\s*)\p{L}+(?:[ -]\p{L}+)?(?=\s+what\b|[.?!]?\s*$)/iu;

/** Whether a question is written in German, where every noun begins with a capital letter. */
export const isGermanQuestion = (question: string): boolean => isGerman(wordsOf(question));

/** What of a question is about the matter: without the words that say what is to be done, and those of German grammar. */
export function contentQuery(question: string): string {
  const words = wordsOf(question.replace(TARGET_LANGUAGE, "$1"));
  const stopWords = isGerman(words) ? GERMAN_QUERY_STOP_WORDS : QUERY_STOP_WORDS;
  return words.filter((word) => !stopWords.has(word)).join(" ");
}

const WHOLE_SOURCE =
  /\b(?:this|diese[mnrs]?)\s+(?:whole\s+|ganze[mnrs]?\s+)?(?:page|document|file|pdf|lecture|chapter|source|text|video|seite|dokument|datei|vorlesung|kapitel|quelle)\b/iu;
const POINTS_BACK = /\b(?:it|them|that|those|dazu|davon|damit|darüber)\b/iu;

/** Whether a question names its source as a whole, so that it needs no question before it to be understood. */
export const refersToWholeSource = (question: string): boolean =>
  WHOLE_SOURCE.test(question) && !POINTS_BACK.test(question);
