const KB = 1024;

/** "640 KB", "2.4 MB". */
export function saySize(sizeBytes: number): string {
  if (sizeBytes < KB * KB) return `${Math.max(1, Math.round(sizeBytes / KB))} KB`;
  return `${(sizeBytes / KB / KB).toFixed(1)} MB`;
}
