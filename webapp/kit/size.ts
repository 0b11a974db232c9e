import { sayNumber } from "#shared/messages/translate.ts";

const KB = 1024;

/** "640 KB", "2.4 MB". */
export function saySize(sizeBytes: number): string {
  if (sizeBytes < KB * KB) return `${sayNumber(Math.max(1, Math.round(sizeBytes / KB)))} KB`;
  return `${sayMegabytes(sizeBytes)} MB`;
}

/** With one figure behind the point, as the language writes it. */
export const sayMegabytes = (sizeBytes: number): string => sayNumber(sizeBytes / KB / KB, 1);
