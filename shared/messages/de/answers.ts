/** What the tutor itself says in an answer (`shared/tutor/wordings.ts`), by its English words; narrower forms first. */
export const answers: Readonly<Record<string, string>> = {
  "Your sources do not say. Nothing in them is about this.":
    "Deine Quellen sagen dazu nichts. Nichts in ihnen handelt davon.",
  "There is nothing here to read yet. Write something, or choose another source.":
    "Hier ist noch nichts zu lesen. Schreibe etwas oder wähle eine andere Quelle.",
  "Your sources do not say this. The closest that stands in them:":
    "Deine Quellen sagen das nicht. Was ihm darin am nächsten kommt:",
  "Not looked at, since it is still being read: {{titles}} and {{count}} more.":
    "Nicht angesehen, weil es noch gelesen wird: {{titles}} und {{count}} weitere.",
  "Not looked at, since it is still being read: {{titles}}.": "Nicht angesehen, weil es noch gelesen wird: {{titles}}.",
  "From your sources, word for word:": "Aus deinen Quellen, Wort für Wort:",
  "Try it yourself first. This is where to look:": "Versuche es zuerst selbst. Hier steht etwas dazu:",
  "With that in mind: {{question}}": "Und nun: {{question}}",
  "That is right. The answer: **{{answer}}**": "Das stimmt. Die Antwort: **{{answer}}**",
  "Partly right. The answer: **{{answer}}**": "Zum Teil richtig. Die Antwort: **{{answer}}**",
  "Not yet. The answer: **{{answer}}**": "Noch nicht. Die Antwort: **{{answer}}**",
  "I found no fact here that makes a good question. Choose a source with more text, or a deck.":
    "Ich habe hier nichts gefunden, woraus eine gute Frage wird. Wähle eine Quelle mit mehr Text oder einen Stapel.",
  "That was everything I can ask about these sources.": "Das war alles, was ich zu diesen Quellen fragen kann.",
  "Next: **{{question}}**": "Weiter: **{{question}}**",
  "(The model did not answer in {{language}}, though it was asked to twice.)":
    "(Das Modell hat nicht in der Sprache {{language}} geantwortet, obwohl es zweimal darum gebeten wurde.)",
  "(This model was not able to look at the pictures. The text that was recognised in them is all it had.)":
    "(Dieses Modell konnte die Bilder nicht ansehen. Es hatte nur den Text, der darin erkannt wurde.)",
  "Cards that come due, as the schedule stands now:": "Karten, die fällig werden, nach dem jetzigen Stand:",
  "No card comes due in the next seven days.": "In den nächsten sieben Tagen wird keine Karte fällig.",
  "- **{{day}}**: 1 card ({{decks}})": "- **{{day}}**: 1 Karte ({{decks}})",
  "- **{{day}}**: {{count}} cards ({{decks}})": "- **{{day}}**: {{count}} Karten ({{decks}})",
  "1 card is new and can be begun on any day.": "1 Karte ist neu und kann an jedem Tag begonnen werden.",
  "{{count}} cards are new and can be begun on any day.":
    "{{count}} Karten sind neu und können an jedem Tag begonnen werden.",
  "What do my sources say about “{{heading}}”?": "Was sagen meine Quellen über „{{heading}}“?",
};
