export const extensionPage = {
  bar: "Lamplight",
  bar_card: "Karte aus Auswahl",
  bar_page: "Seite behalten",
  bar_clip: "Letzte 30 Sekunden",
  bar_region: "Teil des Bildschirms",
  bar_panel: "Leiste öffnen",
  bar_close: "Schließen",
  bar_working: "Einen Moment",
  bar_replaced: "Lamplight wurde aktualisiert, und nichts wurde genommen. Schließ diese Leiste und öffne sie neu.",
  region_help:
    "Zieh um das, was du lernen willst. Pfeiltasten bewegen den Teil, mit Umschalt ändern sie die Größe; Eingabe nimmt ihn, Escape bricht ab.",
} as const;
