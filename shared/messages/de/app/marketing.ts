export const marketing = {
  nav: "Website",
  pricing: "Preise",
  sign_in: "Anmelden",
  go_home: "Arbeitsbereich öffnen",
  headline_first: "Lies es einmal.",
  headline_rest: "Behalte es und sieh immer, woher es kommt.",
  lede: "Füge ein Kapitel oder deine Notizen hinzu. Du bekommst Karteikarten, die auf ihren Satz in der Quelle verweisen, und wiederholst sie, kurz bevor du sie vergessen würdest.",
  start_studying: "Jetzt lernen",
  example: "Beispiel: eine Textstelle und die Karte daraus",
  example_before: "Die Translation beginnt, wenn die kleine Untereinheit die mRNA bindet.",
  example_lit: "Die leere tRNA verlässt das Ribosom über die E-Stelle",
  example_after: "während das Ribosom ein Codon weiterrückt.",
  example_question: "Über welche Stelle verlässt eine leere tRNA das Ribosom?",
  example_answer: "Die E-Stelle (Exit)",
  example_place: "S. 12",
  line_title: "Jede Karte verweist auf ihre Quelle",
  line_text:
    "Karten aus deinem PDF zeigen die Seite und den zitierten Text. Was nicht in der Quelle steht, wird nicht gezeigt.",
  time_title: "Wiederholungen, die deine Zeit respektieren",
  time_text:
    "FSRS, der beste öffentliche Planungsalgorithmus, wählt die Karten aus, die du heute wiederholen musst. Der Rest des Tages gehört dir.",
  safe_title: "Privat und sicher",
  safe_text:
    "Deine Änderungen werden sofort auf deinem Gerät gespeichert. Kein API-Schlüssel, kein bezahltes Modell, kein Tracking.",
  how_title: "So funktioniert es",
  how_read_title: "Lesen",
  how_read_text:
    "Lade ein PDF hoch oder füge deine Notizen ein. Überschriften, fett gedruckte Begriffe und Seitenzahlen bleiben erhalten.",
  how_make_title: "Karten erstellen",
  how_make_text:
    "Wähle, wie viele. Karten erscheinen, während das Kapitel gelesen wird. Behalte, bearbeite oder verwirf jede.",
  how_study_title: "Lernen",
  how_study_text: "Die Leertaste zeigt die Antwort, 1 bis 4 bewertet sie. Mehr musst du nicht wissen.",
  end_title: "Bereit für dein nächstes Kapitel?",
  footer: "Lamplight ist Open Source unter der MIT-Lizenz.",
  description:
    "Lamplight macht aus deinen Kapiteln und Notizen Karteikarten, die auf ihre Quelle verweisen, und erinnert dich, wenn sie fällig sind.",
} as const;
