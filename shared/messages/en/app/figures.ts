/** Charts, lists and figures for administrators. */
export const figures = {
  csv: "Download CSV",
  csv_failed: "The list could not be downloaded. Please try again.",
} as const;
