/** The log of administrator access, in the settings. */
export const accessLog = {
  title: "Zugriffe der Verwaltung",
  text: "Die Verwaltung kann deine Seiten, Karten und Dateien nicht öffnen. Sie kann lesen, was du mit einer Bewertung teilst, und, falls das Protokoll der Anfragen eingeschaltet ist, was an ein Sprachmodell ging. Jeder Zugriff steht hier.",
  none: "Die Verwaltung hat nichts von dir gelesen.",
  failed: "Die Liste konnte nicht geladen werden.",
  shared_answer: "{{admin}} hat eine Antwort gelesen, die du geteilt hast",
  shared_card: "{{admin}} hat eine Karte gelesen, die du geteilt hast",
  shared_completion: "{{admin}} hat eine Ergänzung gelesen, die du geteilt hast",
  logged_answer: "{{admin}} hat eine deiner Anfragen im Protokoll gelesen",
} as const;
