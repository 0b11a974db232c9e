import type { news } from "#shared/messages/en/app/news.ts";

type NewsKey = `news.${keyof typeof news}`;

/** Announcements, the newest first: shown once in a small window, and permanently at /changelog. */
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
    id: "2026-11-free-tools",
    title: "news.free_tools_title",
    date: "2026-11-24",
    description: [paragraph("news.free_tools_text"), list("news.free_tools_cards", "news.free_tools_citations")],
  },
  {
    id: "2026-11-podcasts",
    title: "news.podcasts_title",
    date: "2026-11-23",
    description: [paragraph("news.podcasts_text"), list("news.podcasts_lines", "news.podcasts_saved")],
  },
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

/** The announcements that an account has not seen, the newest first. */
export const unseenAnnouncements = (
  seenFeatures: readonly string[],
  all: readonly Announcement[] = announcements,
): Announcement[] =>
  all.filter(({ id }) => !seenFeatures.includes(id)).toSorted((a, b) => b.date.localeCompare(a.date));

/** The announcements that a new account has seen: all that are older than the account. */
export const seenByNewAccounts = (): string[] => announcements.map(({ id }) => id);
