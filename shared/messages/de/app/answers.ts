/** What the tutor itself says in an answer (`shared/tutor/phrases.ts`), by its English words; narrower forms first. */
export const answers: Readonly<Record<string, string>> = {
  "Your sources do not say. Nothing in them is about this.":
    "Deine Quellen sagen dazu nichts. Nichts in ihnen handelt davon.",
  "There is no text here yet. Write something, or choose another source.":
    "Hier gibt es noch keinen Text. Schreibe etwas oder wähle eine andere Quelle.",
  "Your sources do not say this. Closest passages:": "Deine Quellen sagen das nicht. Am nächsten kommen:",
  "Not included, because it is still being processed: {{titles}} and {{count}} more.":
    "Nicht einbezogen, weil es noch verarbeitet wird: {{titles}} und {{count}} weitere.",
  "Not included, because it is still being processed: {{titles}}.":
    "Nicht einbezogen, weil es noch verarbeitet wird: {{titles}}.",
  "From your sources, word for word:": "Aus deinen Quellen, Wort für Wort:",
  "Try it yourself first. Look here:": "Versuche es zuerst selbst. Sieh hier nach:",
  "With that in mind: {{question}}": "Und nun: {{question}}",
  "That is right. The answer: **{{answer}}**": "Das stimmt. Die Antwort: **{{answer}}**",
  "Partly right. The answer: **{{answer}}**": "Zum Teil richtig. Die Antwort: **{{answer}}**",
  "Not yet. The answer: **{{answer}}**": "Noch nicht. Die Antwort: **{{answer}}**",
  "I found nothing here for a good question. Choose a source with more text, or a deck.":
    "Ich habe hier nichts für eine gute Frage gefunden. Wähle eine Quelle mit mehr Text oder einen Stapel.",
  "I have no more questions about these sources.": "Ich habe keine weiteren Fragen zu diesen Quellen.",
  "Next: **{{question}}**": "Weiter: **{{question}}**",
  "(The model did not answer in {{language}}, even after a second try.)":
    "(Das Modell hat auch beim zweiten Versuch nicht in dieser Sprache geantwortet: {{language}}.)",
  "(This model can't see pictures. It used only the text recognised in them.)":
    "(Dieses Modell kann keine Bilder sehen. Es hat nur den darin erkannten Text verwendet.)",
  "Cards due in the next seven days:": "Fällige Karten in den nächsten sieben Tagen:",
  "No cards are due in the next seven days.": "In den nächsten sieben Tagen werden keine Karten fällig.",
  "- **{{day}}**: 1 card ({{decks}})": "- **{{day}}**: 1 Karte ({{decks}})",
  "- **{{day}}**: {{count}} cards ({{decks}})": "- **{{day}}**: {{count}} Karten ({{decks}})",
  "1 card is new and can be started on any day.": "1 Karte ist neu und kann an jedem Tag begonnen werden.",
  "{{count}} cards are new and can be started on any day.":
    "{{count}} Karten sind neu und können an jedem Tag begonnen werden.",
  "What do my sources say about “{{heading}}”?": "Was sagen meine Quellen über „{{heading}}“?",
};
