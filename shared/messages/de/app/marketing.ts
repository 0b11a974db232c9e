export const marketing = {
  nav: "Website",
  pricing: "Preise",
  sign_in: "Anmelden",
  go_home: "Arbeitsbereich öffnen",
  start_studying: "Jetzt lernen",
  help_search: "Hilfe durchsuchen",
  help_found_one: "{{count}} Artikel gefunden",
  help_found_other: "{{count}} Artikel gefunden",
  help_failed: "Die Hilfe ist gerade nicht erreichbar.",
  footer: "Lamplight ist Open Source unter der MIT-Lizenz.",
} as const;
