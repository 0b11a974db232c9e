import { languageHere } from "#shared/messages/language.ts";
import { asAnswered } from "#shared/messages/translate.ts";
import { wordings } from "./wordings.ts";

/** The citation markers at the end of a paragraph. */
const MARKS = /(?:\s?\[\^\d{1,4}\])*$/;
/** Beginnings of the tutor's own phrases before a marker: all other paragraphs are from a source or a model. */
const BEFORE_MARKS = [
  wordings.hint,
  ...[wordings.right, wordings.partly, wordings.wrong].map((say) => say("").slice(0, -2)),
];
const PLANNED = /^- \*\*(\p{L}+),? (\d{1,2}) (\p{L}+)\*\*(?=: )/u;

/** A span of years in which every date falls on every weekday. */
const YEARS = { from: 2000, count: 28 };
const NOON_MS = 12 * 3_600_000;

const format = (tag: string) =>
  new Intl.DateTimeFormat(tag, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** "Tuesday, 1 September" in the document's language, or undefined if it is not a date. */
function dayHere(day: string): string | undefined {
  const [weekday = "", date = "", month = ""] = day.replace(",", "").split(" ");
  const english = format("en-GB");
  for (let year = YEARS.from; year < YEARS.from + YEARS.count; year += 1) {
    const at = Date.parse(`${date} ${month} ${year} UTC`) + NOON_MS;
    if (Number.isNaN(at)) return undefined;
    if (english.format(at).startsWith(weekday)) return format(languageHere()).format(at);
  }
  return undefined;
}

function lineHere(line: string): string {
  const planned = PLANNED.exec(line);
  // Any other list is a model's.
  if (!planned) return line.startsWith("- ") ? line : asAnswered(line);
  const said = asAnswered(line);
  // A line without a translation stays unchanged, including its date.
  if (said === line) return line;
  const day = planned[0].slice("- **".length, -"**".length);
  return said.replace(day, () => dayHere(day) ?? day);
}

/**
 * An answer with the tutor's own phrases in the document's language. Each is a separate paragraph; text from sources,
 * cards and models stays unchanged.
 */
export function inWordsHere(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => {
    const marks = MARKS.exec(paragraph.trimEnd())?.[0] ?? "";
    const words = paragraph.trimEnd().slice(0, -marks.length || undefined);
    if (marks !== "" && !BEFORE_MARKS.some((start) => words.startsWith(start))) return paragraph;
    const lines = PLANNED.test(words) ? words.split("\n") : [words];
    return lines.map((line) => lineHere(line)).join("\n") + marks;
  });
  return paragraphs.join("\n\n");
}
