import type { news } from "#shared/messages/en/app/news.ts";

type NewsKey = `news.${keyof typeof news}`;

/** What is new, the newest first: shown once in a small window, and for good at /changelog. */
export interface Announcement {
  id: string;
  title: NewsKey;
  description: readonly ({ kind: "paragraph"; text: NewsKey } | { kind: "list"; items: readonly NewsKey[] })[];
  /** The UTC day. */
  date: string;
}

const paragraph = (text: NewsKey) => ({ kind: "paragraph", text }) as const;
const list = (...items: NewsKey[]) => ({ kind: "list", items }) as const;

export const announcements: readonly Announcement[] = [
  {
    id: "2026-11-offline",
    title: "news.offline_title",
    date: "2026-11-21",
    description: [paragraph("news.offline_text"), list("news.offline_stored", "news.offline_sent")],
  },
  {
    id: "2026-11-your-data",
    title: "news.your_data_title",
    date: "2026-11-20",
    description: [paragraph("news.your_data_text"), list("news.your_data_markdown", "news.your_data_deletion")],
  },
  {
    id: "2026-11-sessions",
    title: "news.sessions_title",
    date: "2026-11-19",
    description: [paragraph("news.sessions_text")],
  },
  {
    id: "2026-10-tutor",
    title: "news.tutor_title",
    date: "2026-10-30",
    description: [paragraph("news.tutor_text")],
  },
];

/** Maximum number shown at once. */
const MAX_SHOWN = 3;

const DAY_MS = 86_400_000;

/** The end of an announcement's day, epoch ms: an account created during that day may predate the announcement. */
const dayAfter = (date: string) => Date.parse(date) + DAY_MS;

/** The account that sees the announcements. */
interface AnnouncementReader {
  seenFeatures: readonly string[];
  /** Epoch ms. Announcements from before the account was created are not shown. */
  createdAt: number;
}

/** The newest announcements that are later than the account and were not shown to it. */
export const unseenAnnouncements = (
  { seenFeatures, createdAt }: AnnouncementReader,
  all: readonly Announcement[] = announcements,
): Announcement[] =>
  all
    .toSorted((a, b) => b.date.localeCompare(a.date))
    .slice(0, MAX_SHOWN)
    .filter(({ id, date }) => !seenFeatures.includes(id) && dayAfter(date) > createdAt);
