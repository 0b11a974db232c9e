/** Vom Server in Kalender geschrieben. */
export const calendarEvents = {
  name: "Lamplight: Lernen",
  card: "Lernen: 1 Karte",
  cards: "Lernen: {{count}} Karten",
  exam: "Für die Prüfung lernen",
  description: "Von Lamplight aus fälligen Karten und Prüfungen geplant. Öffnen: {{link}}",
} as const;
