import type { Chapter } from "./schema.ts";

const STAMPED = /^[\s([*•-]*(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[\])]?\s*[-–—:|.]*\s*(.+)$/u;
const MAX_TITLE = 120;

/** Chapters that a description names, by YouTube's own rule: three or more, in order, the first at 0:00. */
export function describedChapters(description: string): Chapter[] {
  const chapters = description.split(/\r?\n/).flatMap((line) => {
    const match = STAMPED.exec(line.trim());
    const title = match?.[4]?.trim().slice(0, MAX_TITLE) ?? "";
    if (!match || title === "") return [];
    const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
    return [{ startMs: (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000, title }];
  });
  const isRising = chapters.every(({ startMs }, at) => at === 0 || startMs > (chapters[at - 1]?.startMs ?? 0));
  return chapters.length >= 3 && chapters[0]?.startMs === 0 && isRising ? chapters : [];
}
