interface EventText {
  uid: string;
  summary: string;
  description: string;
}

interface TimedEvent extends EventText {
  startAt: number;
  endAt: number;
  url: string;
}

interface WholeDayEvent extends EventText {
  /** YYYY-MM-DD. */
  day: string;
}

type CalendarEvent = TimedEvent | WholeDayEvent;

/** A calendar that programs read again by themselves. */
interface Subscription {
  name: string;
  /** Epoch ms of the newest content: the same content gives the same text. */
  stampedAt: number;
  events: readonly CalendarEvent[];
}

const MAX_LINE_BYTES = 75;
const DAY_MS = 86_400_000;

/** A calendar as text (RFC 5545), for subscriptions. */
export function writeCalendar({ name, stampedAt, events }: Subscription): string {
  return writeObject([
    "PRODID:-//Lamplight//Study blocks//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events.flatMap((event) => eventLines(event, stampedAt)),
  ]);
}

/** Events as text for a file, which is imported once. */
export const writeCalendarFile = (events: readonly CalendarEvent[], stampedAt: number): string =>
  writeObject(["PRODID:-//Lamplight//Study schedule//EN", ...events.flatMap((event) => eventLines(event, stampedAt))]);

const writeObject = (lines: readonly string[]): string =>
  `${["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR"].map(foldLine).join("\r\n")}\r\n`;

const eventLines = (event: CalendarEvent, stampedAt: number) => [
  "BEGIN:VEVENT",
  `UID:${event.uid}`,
  `DTSTAMP:${formatUtc(stampedAt)}`,
  ...timeLines(event),
  `SUMMARY:${escapeText(event.summary)}`,
  `DESCRIPTION:${escapeText(event.description)}`,
  ...("url" in event ? [`URL:${event.url}`] : []),
  // Studying can be moved: the time stays free for others to book.
  "TRANSP:TRANSPARENT",
  "END:VEVENT",
];

const timeLines = (event: CalendarEvent) =>
  "day" in event
    ? [`DTSTART;VALUE=DATE:${formatDay(event.day)}`, `DTEND;VALUE=DATE:${formatDay(dayAfter(event.day))}`]
    : [`DTSTART:${formatUtc(event.startAt)}`, `DTEND:${formatUtc(event.endAt)}`];

const formatUtc = (time: number) => `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
const formatDay = (day: string) => day.replaceAll("-", "");
const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** Control characters are not allowed, and some programs end a line at them, or at Unicode's line separators. */
// eslint-disable-next-line no-control-regex -- they are what is removed
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u0085\u2028\u2029]/g;

const escapeText = (text: string) =>
  text
    .replaceAll(CONTROL, " ")
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`);

const encoder = new TextEncoder();

/** Lines have at most 75 bytes; a character is never cut. */
function foldLine(line: string): string {
  const folded: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const length = encoder.encode(character).length;
    if (bytes + length > MAX_LINE_BYTES) {
      folded.push(current);
      // A continued line begins with a space, which counts.
      current = " ";
      bytes = 1;
    }
    current += character;
    bytes += length;
  }
  return [...folded, current].join("\r\n");
}
