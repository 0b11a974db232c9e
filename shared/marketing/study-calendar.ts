import { writeCalendarFile } from "#shared/connections/icalendar.ts";
import type { PlanExam } from "./study-plan.ts";

interface PlanEvent {
  day: string;
  summary: string;
  description: string;
}

/** A short hash of a text (FNV-1a, 32 bits) in letters and digits. */
function hashText(text: string, seed: number): string {
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

/** The events of one exam. */
export interface ExamEvents extends Pick<PlanExam, "topics" | "exam"> {
  events: readonly PlanEvent[];
}

/**
 * The plan as a calendar file of whole days. The ids of an exam's events depend on its topics and its day: the same exam
 * gives the same events again, also with other hours or beside other exams, and another exam replaces none of them.
 * Exams with the same topics on the same day are counted.
 */
export function writeStudyCalendar(exams: readonly ExamEvents[], stampedAt: number): string {
  const counts = new Map<string, number>();
  const withIds = exams.flatMap(({ topics, exam, events }) => {
    const content = JSON.stringify([exam, ...topics.map(({ name, weight }) => [name, weight])]);
    const earlier = counts.get(content) ?? 0;
    counts.set(content, earlier + 1);
    const identity = earlier === 0 ? content : `${content} ${earlier}`;
    const plan = hashText(identity, 0) + hashText(identity, 1);
    return events.map((event) => ({ ...event, uid: `${event.day.replaceAll("-", "")}-${plan}@lamplight` }));
  });
  return writeCalendarFile(withIds, stampedAt);
}
