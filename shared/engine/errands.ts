import { isStopWord, wordsOf } from "./words.ts";

/** Words that say what to do with a source, and nothing of what stands in it. */
const ERRANDS = new Set(
  (
    "summarise summarize summary summaries overview outline recap explain explanation describe tell discuss simplify " +
    "elaborate clarify translate quiz test ask plan help key main important point points idea ideas thing things gist " +
    "page document file pdf note notes lecture chapter source sources text selection passage paragraph video slide " +
    "slides please briefly short simple simply words detail details example give list make show say says mean means " +
    "week today"
  ).split(" "),
);

/** The same of a question in German, with that language's words of grammar: English ones are no terms anyway. */
const GERMAN = new Set(
  (
    "fasse fass zusammen zusammenfassung zusammenfassen überblick erkläre erklär erklären erklärung beschreibe " +
    "beschreiben nenne nennen sage sag sagen sagt frag frage fragen ab plane plan woche heute hilf übersetze kurz bitte " +
    "wichtig wichtige wichtigsten punkte idee ideen seite dokument datei notiz notizen vorlesung kapitel quelle quellen " +
    "text auswahl stelle absatz folie folien einfach beispiel gib zeige zeig liste bedeutet heißt " +
    "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren wird " +
    "werden wurde wurden sein hat haben hatte kann können muss müssen soll sollen darf dürfen ich du er sie es wir ihr " +
    "mich dich mir dir uns euch mein meine meinen meiner dein deine deinen deiner sich dazu davon dafür daran darin " +
    "was wer wie wo wann warum wieso weshalb welche welcher welches welchen wozu wodurch womit von vom zu zum zur mit " +
    "bei nach aus auf an am im in für über unter zwischen durch gegen ohne um als auch so noch nur dass wenn weil " +
    "dieser diese dieses diesen diesem man mehr"
  ).split(" "),
);

/** Some German words are English ones of matter ("die", "man"): by which small words there are more, the question is. */
function isGerman(words: readonly string[]): boolean {
  const german = words.filter((word) => GERMAN.has(word)).length;
  return german > words.filter((word) => isStopWord(word) || ERRANDS.has(word)).length;
}

/** What of a question is about the matter: without the words that say what is to be done, and those of German grammar. */
export function matterOf(question: string): string {
  const words = wordsOf(question);
  const errands = isGerman(words) ? GERMAN : ERRANDS;
  return words.filter((word) => !errands.has(word)).join(" ");
}
