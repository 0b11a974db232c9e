import { sayNumber } from "#shared/messages/translate.ts";

const KB = 1024;
const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** "640 KB", "2.4 MB", "10 GB": in the unit that leaves the fewest figures, with at most one behind the point. */
export function saySize(sizeBytes: number): string {
  let size = Math.max(1, Math.round(sizeBytes / KB));
  let unit = 0;
  // What would be said as 1,024 of one unit is 1 of the next.
  while (inTenths(size) >= KB && unit < UNITS.length - 1) {
    size /= KB;
    unit += 1;
  }
  return `${sayNumber(inTenths(size))} ${UNITS[unit]}`;
}

const inTenths = (size: number) => Math.round(size * 10) / 10;

/** With one figure behind the point, as the language writes it: what counts up keeps its width. */
export const sayMegabytes = (sizeBytes: number): string => sayNumber(sizeBytes / KB / KB, 1);
