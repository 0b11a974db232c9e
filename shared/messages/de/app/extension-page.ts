export const extensionPage = {
  bar: "Lamplight",
  bar_card: "Karte aus Auswahl",
  bar_page: "Seite speichern",
  bar_clip: "Letzte 30 Sekunden",
  bar_region: "Bereich aufnehmen",
  bar_panel: "Seitenleiste öffnen",
  bar_close: "Schließen",
  bar_working: "Einen Moment",
  bar_replaced:
    "Lamplight wurde aktualisiert, daher wurde nichts gespeichert. Schließe diese Leiste und öffne sie neu.",
  bar_failed: "Das hat nicht geklappt. Bitte versuche es noch einmal.",
  region_help:
    "Ziehe einen Rahmen um den Bereich. Pfeiltasten verschieben ihn, Umschalt und Pfeiltasten ändern die Größe. Eingabe nimmt ihn auf, Escape bricht ab.",
} as const;
