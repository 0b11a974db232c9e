/** Trouble that is nobody's business on the screen, kept for whoever opens the console. */
export function logTrouble(message: string, error?: unknown): void {
  // The one place of the web app that writes to the console.
  // oxlint-disable-next-line no-console
  console.warn(message, error ?? "");
}
