/** Logs an error for which no notice is shown. */
export function logWarning(message: string, error?: unknown): void {
  // The only place in the web app that writes to the console.
  // oxlint-disable-next-line no-console
  console.warn(message, error ?? "");
}
