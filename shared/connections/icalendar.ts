interface CalendarEvent {
  uid: string;
  startAt: number;
  endAt: number;
  summary: string;
  description: string;
  url: string;
}

interface Calendar {
  name: string;
  /** Epoch ms of the newest content: the same content gives the same text. */
  stampedAt: number;
  events: readonly CalendarEvent[];
}

const MAX_LINE_BYTES = 75;

/** A calendar as text (RFC 5545), for subscriptions. */
export function writeCalendar({ name, stampedAt, events }: Calendar): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Lamplight//Study blocks//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events.flatMap((event) => eventLines(event, stampedAt)),
    "END:VCALENDAR",
  ];
  return `${lines.map(foldLine).join("\r\n")}\r\n`;
}

const eventLines = ({ uid, startAt, endAt, summary, description, url }: CalendarEvent, stampedAt: number) => [
  "BEGIN:VEVENT",
  `UID:${uid}`,
  `DTSTAMP:${formatUtc(stampedAt)}`,
  `DTSTART:${formatUtc(startAt)}`,
  `DTEND:${formatUtc(endAt)}`,
  `SUMMARY:${escapeText(summary)}`,
  `DESCRIPTION:${escapeText(description)}`,
  `URL:${url}`,
  // Studying can be moved: the time stays free for others to book.
  "TRANSP:TRANSPARENT",
  "END:VEVENT",
];

const formatUtc = (time: number) => `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);

const encoder = new TextEncoder();

/** Lines hold at most 75 bytes; a character is never cut. */
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
