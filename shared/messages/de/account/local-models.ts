export const localModels = {
  title: "KI-Modelle",
  intro:
    "Lamplight funktioniert ohne KI-Modell. Mit einem erklärt der Tutor in eigenen Worten, und Karten sind freier formuliert. Ein Modell von Ollama läuft auf dem Rechner, auf dem Lamplight läuft: Nichts wird an eine Firma gesendet.",
  looking: "Ollama wird gesucht …",
  look_again: "Erneut suchen",
  look_failed: "Der Server konnte nicht gefragt werden.",
  absent: "Unter {{address}} antwortet kein Ollama-Server.",
  empty: "Ollama läuft unter {{address}}, hat aber kein Modell zum Chatten.",
  broken:
    "Unter {{address}} antwortet etwas, aber nicht wie Ollama oder zu langsam. Starte Ollama neu oder prüfe OLLAMA_URL.",
  found: "Ollama läuft unter {{address}}. Wähle ein Modell unter dem Eingabefeld des Tutors.",
  install: "Installiere Ollama auf dem Rechner, auf dem Lamplight läuft:",
  pull: "Lade eines dieser Modelle in einem Terminal herunter. Sie passen in die {{memory}} Arbeitsspeicher dieses Rechners.",
  best: "Bessere Antworten",
  faster: "Schneller",
  download: "{{size}} Download",
  test: "Modelle testen",
  test_text:
    "Jedes erstellt Karten aus demselben kurzen Text über Gletscher. Von dir wird nichts verwendet. Ein Modell kann einige Minuten brauchen.",
  testing: "{{name}} schreibt …",
  stop: "Abbrechen",
  builtin: "Ohne Modell",
  result: "{{cards}} in {{duration}}",
  result_rejected: "{{cards}} in {{duration}}; {{rejected}} weitere haben die Prüfungen nicht bestanden",
  cards_one: "{{count}} Karte",
  cards_other: "{{count}} Karten",
  test_failed: "{{name}} gab keine brauchbare Antwort.",
} as const;
