/** Announcements, the newest first: shown once in a dialog, and permanently at /changelog. */
export interface Announcement {
  id: string;
  title: string;
  description: readonly ({ kind: "paragraph"; text: string } | { kind: "list"; items: readonly string[] })[];
  /** The UTC day. */
  date: string;
}

const paragraph = (text: string) => ({ kind: "paragraph", text }) as const;
const list = (...items: string[]) => ({ kind: "list", items }) as const;

export const announcements: readonly Announcement[] = [
  {
    id: "2026-11-offline",
    title: "Works offline",
    date: "2026-11-21",
    description: [
      paragraph("Lamplight now opens and reloads without a connection."),
      list(
        "Recently opened pages and due cards are saved on your device",
        "Your changes are sent when you're back online",
      ),
    ],
  },
  {
    id: "2026-11-your-data",
    title: "Export everything",
    date: "2026-11-20",
    description: [
      paragraph("Export all your data as one zip in Settings, and import it into any Lamplight server."),
      list("Export notes as Markdown", "Restore a deleted account within 30 days"),
    ],
  },
  {
    id: "2026-11-sessions",
    title: "See your active sessions",
    date: "2026-11-19",
    description: [paragraph("Settings lists every browser you are signed in to. You can sign out of any of them.")],
  },
  {
    id: "2026-10-tutor",
    title: "A tutor that shows its sources",
    date: "2026-10-30",
    description: [paragraph("Every answer links to the passage it came from.")],
  },
];

/** Maximum number shown at once. */
const SHOWN = 3;

const DAY_MS = 86_400_000;

/** The end of an announcement's day, epoch ms: an account created during that day may predate the announcement. */
const dayAfter = (date: string) => Date.parse(date) + DAY_MS;

/** The account that sees the announcements. */
interface Reader {
  seenFeatures: readonly string[];
  /** Epoch ms. Announcements from before the account was created are not shown. */
  createdAt: number;
}

/** The newest announcements that are later than the account and were not shown to it. */
export const unseenOf = (
  { seenFeatures, createdAt }: Reader,
  all: readonly Announcement[] = announcements,
): Announcement[] =>
  all
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .slice(0, SHOWN)
    .filter(({ id, date }) => !seenFeatures.includes(id) && dayAfter(date) > createdAt);
