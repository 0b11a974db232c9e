import { documentLanguage } from "#shared/messages/language.ts";
import { translatePhrase } from "#shared/messages/translate.ts";
import { tutorPhrases } from "./phrases.ts";

/** The citation markers at the end of a paragraph. */
const CITATION_MARKERS = /(?:\s?\[\^\d{1,4}\])*$/;
/** Beginnings of the tutor's own phrases before a marker: all other paragraphs are from a source or a model. */
const PHRASES_BEFORE_MARKERS = [
  tutorPhrases.hint,
  ...[tutorPhrases.right, tutorPhrases.partly, tutorPhrases.wrong].map((phrase) => phrase("").slice(0, -2)),
];
const PLANNED = /^- \*\*(\p{L}+),? (\d{1,2}) (\p{L}+)\*\*(?=: )/u;

/** A span of years in which every date falls on every weekday. */
const YEARS = { from: 2000, count: 28 };
const NOON_MS = 12 * 3_600_000;

const format = (tag: string) =>
  new Intl.DateTimeFormat(tag, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** "Tuesday, 1 September" in the document's language, or undefined if it is not a date. */
function translateDay(day: string): string | undefined {
  const [weekday = "", date = "", month = ""] = day.replace(",", "").split(" ");
  const english = format("en-GB");
  for (let year = YEARS.from; year < YEARS.from + YEARS.count; year += 1) {
    const at = Date.parse(`${date} ${month} ${year} UTC`) + NOON_MS;
    if (Number.isNaN(at)) return undefined;
    if (english.format(at).startsWith(weekday)) return format(documentLanguage()).format(at);
  }
  return undefined;
}

function translateLine(line: string): string {
  const planned = PLANNED.exec(line);
  // Any other list is a model's.
  if (!planned) return line.startsWith("- ") ? line : translatePhrase(line);
  const translated = translatePhrase(line);
  // A line without a translation stays unchanged, including its date.
  if (translated === line) return line;
  const day = planned[0].slice("- **".length, -"**".length);
  return translated.replace(day, () => translateDay(day) ?? day);
}

/**
 * An answer with the tutor's own phrases in the document's language. Each is a separate paragraph; text from sources,
 * cards and models stays unchanged.
 */
export function translatePhrases(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => {
    const markers = CITATION_MARKERS.exec(paragraph.trimEnd())?.[0] ?? "";
    const words = paragraph.trimEnd().slice(0, -markers.length || undefined);
    if (markers !== "" && !PHRASES_BEFORE_MARKERS.some((start) => words.startsWith(start))) return paragraph;
    const lines = PLANNED.test(words) ? words.split("\n") : [words];
    return lines.map((line) => translateLine(line)).join("\n") + markers;
  });
  return paragraphs.join("\n\n");
}
