import type { assist as english } from "../../en/study/assist.ts";

/** Texts about cards that the server writes itself, in the reader's language. */
export const assist: Readonly<Record<keyof typeof english, string>> = {
  hint_kind: "Es geht um: {{kind}}.",
  hint_symbol: "Die Antwort ist ein Zeichen oder eine Formel.",
  hint_letters_one: "Die Antwort beginnt mit „{{letter}}“ und hat {{count}} Buchstaben.",
  hint_letters_other: "Die Antwort beginnt mit „{{letter}}“ und hat {{count}} Buchstaben.",
  hint_words: "Die Antwort beginnt mit „{{letter}}“ und hat {{count}} Wörter.",
  hint_opening: "Die Antwort hat {{count}} Wörter und beginnt mit „{{opening}} …“.",
  highlights_untranslated: "Die Zusammenfassung bleibt in der Sprache der Karten.",
  highlights_wrong_language: "Das Modell hat nicht in der gewünschten Sprache geschrieben.",
  title_pair: "{{first}} und {{second}}",
};
