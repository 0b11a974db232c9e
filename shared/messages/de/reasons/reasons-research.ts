export const reasonsResearch = {
  no_research: "Diese Recherche gibt es nicht, oder sie wurde gelöscht.",
  no_research_section: "Dieser Abschnitt ist noch nicht geschrieben und lässt sich deshalb nicht ändern.",
  research_limit: "Du hast dein tägliches Recherche-Limit erreicht. Bitte wechsle den Tarif, um weiterzumachen.",
  research_running: "Hier läuft schon eine Recherche. Warte, bis sie fertig ist, oder halte sie an.",
  too_many_research_runs: "Zwei Recherchen laufen schon. Warte, bis eine davon fertig ist, oder halte eine an.",
  research_failed: "Bei der Verarbeitung deiner Anfrage ist ein Fehler aufgetreten.",
  research_stopped: "Die Recherche wurde angehalten. Was sie bis dahin gefunden hat, ist gespeichert.",
  research_question_missing: "Es gibt keine Frage für die Recherche. Gib eine ein und versuche es noch einmal.",
  research_text_too_long:
    "Zusammen mit der Fassung eines anderen Tabs oder Geräts ist dieser Text zu lang zum Speichern. Kürze ihn und versuche es noch einmal.",
} as const;
