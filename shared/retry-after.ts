/**
 * Milliseconds that a `Retry-After` header asks to wait, which gives seconds or a date; undefined if there is none or it
 * cannot be read. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
