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
    title: "Works in a tunnel",
    date: "2026-11-21",
    description: [
      paragraph("The app opens and reloads without a network."),
      list("Pages you opened and cards that are due are kept on the device", "What you write goes out by itself later"),
    ],
  },
  {
    id: "2026-11-your-data",
    title: "Leave with everything",
    date: "2026-11-20",
    description: [
      paragraph("Settings can pack all you have into one zip, and another Lamplight reads it back."),
      list("Notes as Markdown besides", "Deleting the account leaves 30 days to come back"),
    ],
  },
  {
    id: "2026-11-sessions",
    title: "See where you are signed in",
    date: "2026-11-19",
    description: [paragraph("Settings list every browser, and sign any of them out.")],
  },
  {
    id: "2026-10-tutor",
    title: "A tutor that shows its sources",
    date: "2026-10-30",
    description: [paragraph("Every answer carries the passage it stands on, one press away.")],
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
