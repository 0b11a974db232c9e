/** Texts about cards that the server writes itself, in the reader's language (`shared/messages/assist-text.ts`). */
export const assist = {
  hint_kind: "It is {{kind}}.",
  hint_symbol: "The answer is a sign or a formula.",
  hint_letters_one: "It begins with “{{letter}}” and has {{count}} letter.",
  hint_letters_other: "It begins with “{{letter}}” and has {{count}} letters.",
  hint_words: "It begins with “{{letter}}” and has {{count}} words.",
  hint_opening: "The answer has {{count}} words and begins “{{opening}} …”.",
  highlights_untranslated: "The highlights stay in the language of the cards.",
  highlights_wrong_language: "The model did not write in the requested language.",
  title_pair: "{{first}} and {{second}}",
} as const;
