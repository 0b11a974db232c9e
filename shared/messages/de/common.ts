export const common = {
  product: "Lamplight",
  close: "Schließen",
  dismiss: "Ausblenden",
  cancel: "Abbrechen",
  save: "Speichern",
  retry: "Noch einmal versuchen",
  undo: "Rückgängig",
  loading: "Wird geladen",
  alerts: "Hinweise",
  untitled: "Ohne Titel",
  just_now: "gerade eben",
  share: "Teilen",
} as const;
