export const common = {
  product: "Lamplight",
  close: "Schließen",
  dismiss: "Ausblenden",
  cancel: "Abbrechen",
  save: "Speichern",
  retry: "Noch einmal versuchen",
  undo: "Rückgängig",
  pending: "Eben angelegt",
  loading: "Wird geladen",
  alerts: "Hinweise",
  untitled: "Ohne Titel",
  just_now: "gerade eben",
  share: "Teilen",
  /** The key, as a keyboard names it. */
  key_space: "Leertaste",
} as const;
