/** Logs an error to the console that needs no notice on screen. */
export function logWarning(message: string, error?: unknown): void {
  // The only place in the web app that writes to the console.
  // oxlint-disable-next-line no-console
  console.warn(message, error ?? "");
}
