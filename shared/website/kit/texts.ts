const en = {
  cards_left: "{n} to go",
  show_answer: "Show answer",
  again: "Again",
  hard: "Hard",
  good: "Good",
  easy: "Easy",
  cards_done: "All cards are done for now.",
  study_again: "Study all again",
  next_due: "Next card: {when}",
  question: "Question {n} of {all}",
  right: "Right.",
  wrong: "Not quite. The answer is: {answer}",
  next: "Next question",
  result: "{n} of {all} right",
  quiz_again: "Start again",
  find_term: "Find a term",
  no_term: "No term matches.",
  terms_one: "1 term",
  terms: "{n} terms",
  from: "From “{source}”",
  sources_text: "Everything on this site comes from these sources.",
  menu: "Sections",
  empty: "Nothing here yet.",
  front: "Front",
  back: "Back",
};

const de: typeof en = {
  cards_left: "Noch {n}",
  show_answer: "Antwort zeigen",
  again: "Nochmal",
  hard: "Schwer",
  good: "Gut",
  easy: "Leicht",
  cards_done: "Für jetzt sind alle Karten gelernt.",
  study_again: "Alle noch einmal lernen",
  next_due: "Nächste Karte: {when}",
  question: "Frage {n} von {all}",
  right: "Richtig.",
  wrong: "Nicht ganz. Die Antwort ist: {answer}",
  next: "Nächste Frage",
  result: "{n} von {all} richtig",
  quiz_again: "Von vorn beginnen",
  find_term: "Begriff suchen",
  no_term: "Kein Begriff passt.",
  terms_one: "1 Begriff",
  terms: "{n} Begriffe",
  from: "Aus „{source}“",
  sources_text: "Alles auf dieser Website stammt aus diesen Quellen.",
  menu: "Abschnitte",
  empty: "Hier ist noch nichts.",
  front: "Vorderseite",
  back: "Rückseite",
};

let table = en;

/** Sets the language of the kit's own words; everything but German is English. */
export function setKitLanguage(language: string): void {
  table = language.startsWith("de") ? de : en;
}

/** A text of the kit; a site is a program of its own and has no part of the app's messages. */
export function kitText(key: keyof typeof en, values: Readonly<Record<string, string | number>> = {}): string {
  return table[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}
