const en = {
  help: "I work without a language model here, so I cannot talk about your website. I understand these: “Title: …”, “Subtitle: …”, “Colour: green”, “Font: sans”, “Remove: Quiz”, “Move up: Quiz” and “Undo”. For everything else there are the forms: choose sources, add sections, change their order.",
  done: "Done. “Undo” takes it back.",
  undone: "The website is as it was before.",
  nothing_to_undo: "There is nothing to undo.",
  unchanged: "That changes nothing.",
  restored_good: "I could not repair it after three attempts, so I put the last version back that works.",
  no_answer: "The language model gave no answer. Please try again.",
  gave_up_steps: "I stopped after 24 steps. What is there so far is saved.",
  resumed: "The server was restarted before my answer was complete. The change itself is saved.",
  changed_by_both: "You changed this as well while I was at work. Your version is among the versions:",
  not_looked_at: "The website builds. No preview is open, so nobody has looked at it yet.",
};

const de: typeof en = {
  help: "Ich arbeite hier ohne Sprachmodell und kann mich deshalb nicht über deine Website unterhalten. Ich verstehe diese Sätze: „Titel: …“, „Untertitel: …“, „Farbe: grün“, „Schrift: sans“, „Entfernen: Quiz“, „Nach oben: Quiz“ und „Rückgängig“. Für alles andere gibt es die Formulare: Quellen wählen, Abschnitte hinzufügen, ihre Reihenfolge ändern.",
  done: "Erledigt. „Rückgängig“ nimmt es zurück.",
  undone: "Die Website ist wie vorher.",
  nothing_to_undo: "Es gibt nichts rückgängig zu machen.",
  unchanged: "Das ändert nichts.",
  restored_good:
    "Ich konnte es nach drei Versuchen nicht reparieren und habe die letzte Fassung wiederhergestellt, die funktioniert.",
  no_answer: "Das Sprachmodell hat nicht geantwortet. Bitte versuche es noch einmal.",
  gave_up_steps: "Ich habe nach 24 Schritten aufgehört. Was bis jetzt da ist, ist gespeichert.",
  resumed: "Der Server wurde neu gestartet, bevor meine Antwort fertig war. Die Änderung selbst ist gespeichert.",
  changed_by_both:
    "Das hast du ebenfalls geändert, während ich gearbeitet habe. Deine Fassung steht bei den Versionen:",
  not_looked_at: "Die Website lässt sich bauen. Es ist keine Vorschau offen, also hat sie noch niemand angesehen.",
};

/** The agent's own replies, in the language of the site. */
export const reply = (key: keyof typeof en, language: string): string => (language.startsWith("de") ? de : en)[key];
