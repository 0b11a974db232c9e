export const reasonsDocuments = {
  no_pdf: "Dieses PDF gibt es nicht.",
  no_document: "Dieses Dokument gibt es nicht.",
  which_pdf: "Welches PDF?",
  from_after_to: "Der Anfang darf nicht hinter dem Ende liegen.",
  no_analysis: "Diese Auswertung gibt es nicht.",
  analyses_underway: "Andere Dokumente werden noch zusammengefasst. Bitte warte auf eines davon.",
  too_little_text:
    "In diesem Dokument ist zu wenig Text für eine Zusammenfassung. Wenn es gescannt ist, muss sein Text zuerst gelesen werden.",
  no_annotation: "Diese Anmerkung gibt es nicht.",
  not_an_annotation: "Das ist keine Anmerkung eines Dokuments.",
  annotation_too_long: "Diese Anmerkung ist zu lang.",
  recognition_busy: "Andere Dateien werden gelesen. Bitte warte, bis eine davon fertig ist.",
  language_not_recognised: "Hier kann nur {{languages}} erkannt werden.",
} as const;
