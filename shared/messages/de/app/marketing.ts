export const marketing = {
  nav: "Website",
  sign_in: "Anmelden",
  go_home: "Zu deinem Lamplight",
  headline_first: "Lies es einmal.",
  headline_rest: "Behalte es, und wisse, woher du es hast.",
  lede: "Gib ein Kapitel oder deine eigenen Notizen hinein. Du bekommst Karten, die das Lernen lohnen, jede mit der Zeile, auf der sie steht, und wiederholst sie an dem Tag, an dem du anfangen würdest, sie zu vergessen.",
  start_studying: "Mit dem Lernen beginnen",
  example: "Ein Beispiel: eine Stelle und die Karte daraus",
  example_before: "Die Translation beginnt, wenn die kleine Untereinheit die mRNA bindet.",
  example_lit: "Die leere tRNA verlässt das Ribosom über die E-Stelle",
  example_after: "während das Ribosom ein Codon weiterrückt.",
  example_question: "Über welche Stelle verlässt eine leere tRNA das Ribosom?",
  example_answer: "Die E-Stelle (Exit)",
  example_place: "S. 12",
  line_title: "Jede Karte zeigt auf ihre Zeile",
  line_text:
    "Eine Karte aus deinem PDF trägt dessen Seite und die Wörter, auf denen sie steht. Was in der Quelle nicht zu finden ist, wird nicht gezeigt.",
  time_title: "Wiederholungen, die deine Zeit achten",
  time_text:
    "FSRS, der beste öffentliche Planer, fragt nach einer Karte, wenn sie fällig ist, und lässt den Rest deines Tages in Ruhe.",
  safe_title: "Deins, und sicher",
  safe_text:
    "Was du schreibst, liegt auf deinem Gerät, bevor der Bildschirm es sagt. Kein Schlüssel, kein bezahltes Modell, keine Verfolgung.",
  how_title: "Vom Kapitel zu dem, was du weißt",
  how_read_title: "Lesen",
  how_read_text:
    "Lade ein PDF hoch oder füge deine Notizen ein. Überschriften, fette Begriffe und Seitenzahlen bleiben.",
  how_make_title: "Karten machen",
  how_make_text:
    "Wähle, wie dicht. Karten erscheinen, während das Kapitel gelesen wird; behalte, ändere oder verwirf jede.",
  how_study_title: "Lernen",
  how_study_text: "Leertaste zum Umdrehen, 1 bis 4 zum Bewerten. Mehr musst du vor dem Lernen nicht lernen.",
  end_title: "Das nächste Kapitel wartet.",
  footer: "Lamplight ist freie Software unter der MIT-Lizenz.",
  description:
    "Lamplight macht aus deinen Kapiteln und Notizen Karteikarten, jede mit der Zeile, auf der sie steht, und fragt nach ihnen, wenn sie fällig sind.",
} as const;
