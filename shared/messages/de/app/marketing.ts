export const marketing = {
  nav: "Website",
  pricing: "Preise",
  sign_in: "Anmelden",
  go_home: "Arbeitsbereich öffnen",
  start_studying: "Jetzt lernen",
  footer: "Lamplight ist Open Source unter der MIT-Lizenz.",
} as const;
