export const figures = {
  csv: "CSV herunterladen",
  csv_failed: "Die Liste konnte nicht heruntergeladen werden. Bitte versuche es noch einmal.",
} as const;
