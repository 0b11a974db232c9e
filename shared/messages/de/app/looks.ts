/** Was Administratoren von Lernenden gelesen haben, in den Einstellungen. */
export const looks = {
  title: "Einsicht durch die Verwaltung",
  text: "Die Verwaltung kann deine Seiten, Karten und Dateien nicht öffnen. Sie kann lesen, was du mit einer Bewertung teilst, und, falls das Protokoll der Anfragen eingeschaltet ist, was an ein Sprachmodell ging. Jede Einsicht steht hier.",
  none: "Niemand hat etwas angesehen.",
  failed: "Die Liste konnte nicht geladen werden.",
  shared_answer: "{{admin}} hat eine Antwort gelesen, die du geteilt hattest",
  shared_card: "{{admin}} hat eine Karte gelesen, die du geteilt hattest",
  shared_completion: "{{admin}} hat eine Ergänzung gelesen, die du geteilt hattest",
  logged_answer: "{{admin}} hat einen Eintrag im Protokoll der Anfragen gelesen",
} as const;
