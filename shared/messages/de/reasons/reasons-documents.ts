export const reasonsDocuments = {
  no_pdf: "Dieses PDF gibt es nicht, oder es wurde nicht mit dir geteilt.",
  no_document: "Dieses Dokument gibt es nicht, oder es wurde nicht mit dir geteilt.",
  pdf_id_missing: "Die ID des PDFs fehlt.",
  page_range_reversed: "Die erste Seite darf nicht nach der letzten kommen.",
  no_analysis: "Diese Auswertung gibt es nicht.",
  too_many_analyses: "Andere Dokumente werden noch zusammengefasst. Warte, bis eines davon fertig ist.",
  too_little_text:
    "Dieses Dokument hat zu wenig Text für eine Zusammenfassung. Wenn es gescannt ist, muss zuerst sein Text erkannt werden.",
  no_annotation: "Diese Markierung oder Notiz gibt es nicht.",
  not_an_annotation: "Das ist keine Markierung oder Notiz in einem Dokument.",
  annotation_too_long: "Diese Markierung oder Notiz ist zu lang.",
  recognition_busy: "Andere Dateien werden gelesen. Warte, bis eine davon fertig ist.",
  language_not_recognised: "Text kann nur in diesen Sprachen erkannt werden: {{languages}}.",
} as const;
