import { formatNumber } from "#shared/messages/translate.ts";

const KB = 1024;
const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** Formats a size as "640 KB", "2.4 MB" or "10 GB", in the largest fitting unit and with at most one decimal. */
export function formatSize(sizeBytes: number): string {
  let size = Math.max(1, Math.round(sizeBytes / KB));
  let unit = 0;
  // 1,024 of one unit is shown as 1 of the next unit.
  while (roundToTenths(size) >= KB && unit < UNITS.length - 1) {
    size /= KB;
    unit += 1;
  }
  return `${formatNumber(roundToTenths(size))} ${UNITS[unit]}`;
}

const roundToTenths = (size: number) => Math.round(size * 10) / 10;

/** Formats megabytes with exactly one decimal, so that the width of a running counter does not change. */
export const formatMegabytes = (sizeBytes: number): string => formatNumber(sizeBytes / KB / KB, 1);
