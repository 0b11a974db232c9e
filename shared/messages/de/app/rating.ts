export const rating = {
  up: "Gute Antwort",
  down: "Schlechte Antwort",
  card_up: "Gute Karte",
  card_down: "Schlechte Karte",
  thanks: "Danke. Das hilft, Lamplight zu verbessern.",
  failed: "Deine Bewertung konnte nicht gesendet werden. Bitte versuche es noch einmal.",
  title: "Was war nicht gut?",
  reason: "Grund",
  optional: "Freiwillig. Dein Daumen ist gesendet.",
  share: "Diesen Text mit den Betreibern dieses Servers teilen",
  send: "Senden",
  skip: "Überspringen",
} as const;
