export const reasonsWebsite = {
  website_busy: "Eine Nachricht wird schon bearbeitet.",
  website_answer_slow: "Der Agent hat zu lange für eine Antwort gebraucht. Bitte versuche es noch einmal.",
  website_answer_cut: "Die Antwort endete vorzeitig.",
  no_website: "Diese Website gibt es nicht, oder sie wurde gelöscht.",
  no_checkpoint: "Diesen Stand gibt es nicht mehr.",
  no_site_file: "Diese Datei gibt es in der Website nicht.",
  no_site_document:
    "Das Dokument der Website wurde in etwas anderes geändert. Stelle einen früheren Stand wieder her, um die Formulare zu benutzen.",
  site_path_invalid: "„{{path}}“ kann kein Pfad einer Datei sein. Beispiel: /src/main.tsx",
  site_file_too_large: "„{{path}}“ ist größer als 512 KB.",
  site_too_large: "Eine Website kann 200 Dateien und zusammen 5 MB haben.",
  site_changed_elsewhere: "Die Website wurde inzwischen woanders geändert. Versuche es noch einmal.",
  site_section_empty:
    "In diesen Quellen steht nichts für diesen Abschnitt. Wähle andere Quellen oder einen anderen Abschnitt.",
  site_sources_too_long: "In diesen Quellen steht mehr, als eine Website fassen kann. Wähle weniger davon.",
  site_sources_empty: "In diesen Quellen steht kein Text, aus dem eine Website entstehen könnte. Wähle andere Quellen.",
  site_does_not_build: "Die Website lässt sich nicht bauen. Behebe zuerst die Fehler.",
  too_many_sections: "Eine Website kann 40 Abschnitte haben.",
  too_many_websites: "Du kannst {{most}} Websites haben. Lösche eine, um Platz zu schaffen.",
  too_many_threads: "Eine Website kann {{most}} Unterhaltungen haben.",
  website_unlisted_only: "Eine Website wird nur über ihren Link geteilt. Sie kann nicht unter „Entdecken“ stehen.",
} as const;
