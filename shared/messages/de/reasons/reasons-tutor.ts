export const reasonsTutor = {
  no_conversation: "Dieses Gespräch gibt es nicht.",
  no_answer: "Diese Antwort gibt es nicht.",
  answers_underway: "Es werden schon mehrere Antworten geschrieben. Bitte warte auf eine davon.",
  no_model: "Dieses Modell gibt es nicht.",
  no_ai_model: "Dieses KI-Modell gibt es nicht. Wähle ein anderes.",
  model_gone: "Das gewählte KI-Modell ist nicht mehr da.",
  model_silent: "Das KI-Modell hat keine Antwort gegeben. Bitte versuche es noch einmal.",
  model_unreachable: "Das KI-Modell ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  model_stopped: "Das KI-Modell hat mitten in der Antwort aufgehört. Bitte versuche es noch einmal.",
  model_refused:
    "Das KI-Modell hat die Anfrage abgelehnt. Wähle ein anderes oder bitte die Person, die diesen Server betreibt, die Einstellungen zu prüfen.",
  model_busy: "Das KI-Modell ist gerade überlastet. Bitte versuche es in ein paar Minuten noch einmal.",
  model_other_language:
    "Das KI-Modell hat nicht in der gewünschten Sprache geschrieben. Wähle ein anderes oder lass die Sprache weg.",
  engine_too_much:
    "Diese Quelle ist zu viel für die eingebaute Maschine. Bitte versuche es mit weniger oder kleineren Dateien.",
  ai_budget_spent:
    "Dieser Server hat verbraucht, was er heute für KI-Modelle ausgeben darf. Die eingebaute Maschine arbeitet weiter, und um Mitternacht UTC ist wieder etwas da.",
  exam_in_past: "Eine Prüfung liegt in der Zukunft.",
  exam_without_minutes: "Eine Prüfung braucht Minuten zur Vorbereitung.",
} as const;
