/** What is new, the newest first: shown once in a small window, and for good at /changelog. */
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

/** So many are shown at once. */
const SHOWN = 3;

const DAY_MS = 86_400_000;

/** The first moment after an announcement's day, epoch ms: who came during it may have come before it or after. */
const dayAfter = (date: string) => Date.parse(date) + DAY_MS;

/** Whom the news are for. */
interface Reader {
  seenFeatures: readonly string[];
  /** Epoch ms. What was there already when somebody came is no news to them. */
  createdAt: number;
}

/** The newest that this account was not shown yet, of those that came after it did. */
export const unseenOf = (
  { seenFeatures, createdAt }: Reader,
  all: readonly Announcement[] = announcements,
): Announcement[] =>
  all
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .slice(0, SHOWN)
    .filter(({ id, date }) => !seenFeatures.includes(id) && dayAfter(date) > createdAt);
