export const reasonsTutor = {
  no_conversation: "Diese Unterhaltung gibt es nicht, oder sie wurde gelöscht.",
  no_answer: "Diese Antwort gibt es nicht.",
  too_many_answers: "Es werden schon mehrere Antworten geschrieben. Warte, bis eine davon fertig ist.",
  no_model: "Dieses Modell gibt es nicht. Wähle ein anderes.",
  no_ai_model: "Dieses KI-Modell gibt es nicht. Wähle ein anderes.",
  model_gone: "Das gewählte KI-Modell ist nicht mehr verfügbar. Wähle ein anderes.",
  model_silent: "Das KI-Modell hat keine Antwort gegeben. Bitte versuche es noch einmal.",
  model_unreachable: "Das KI-Modell ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  model_stopped: "Das KI-Modell hat mitten in der Antwort aufgehört. Bitte versuche es noch einmal.",
  model_refused:
    "Das KI-Modell hat die Anfrage abgelehnt. Wähle ein anderes oder bitte deinen Administrator, die Einstellungen zu prüfen.",
  model_busy: "Das KI-Modell ist gerade überlastet. Bitte versuche es in ein paar Minuten noch einmal.",
  model_other_language:
    "Das KI-Modell hat nicht in der gewünschten Sprache geschrieben. Wähle ein anderes oder lass die Sprache weg.",
  source_too_large_for_engine:
    "Diese Quelle ist zu groß für die eingebaute Engine. Bitte versuche es mit weniger oder kleineren Dateien.",
  ai_budget_spent:
    "Dieser Server hat sein KI-Budget für heute verbraucht. Die eingebaute Engine funktioniert weiter. Das Budget wird um Mitternacht UTC zurückgesetzt.",
  exam_in_past: "Das Datum einer Prüfung muss in der Zukunft liegen.",
  exam_without_minutes: "Eine Prüfung braucht eine Anzahl von Minuten am Tag zur Vorbereitung.",
} as const;
