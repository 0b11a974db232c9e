import { escapeHtml } from "./escape-html.ts";

interface FeedPost {
  path: string;
  title: string;
  description: string;
  /** The day, as `2026-11-23`. */
  date: string;
  html: string;
}

/** The blog as RSS 2.0 (https://www.rssboard.org/rss-specification). */
export function renderFeed(posts: readonly FeedPost[], origin: string, language: string): string {
  const address = (path: string) => escapeHtml(`${origin}${path}${language === "en" ? "" : `?lang=${language}`}`);
  const items = posts.map(
    ({ path, title, description, date, html }) =>
      `<item><title>${escapeHtml(title)}</title><link>${address(path)}</link><guid isPermaLink="false">${escapeHtml(path)}</guid>` +
      `<pubDate>${new Date(`${date}T00:00:00Z`).toUTCString()}</pubDate><description>${escapeHtml(description)}</description>` +
      `<content:encoded>${escapeHtml(html.replaceAll(/(href|src)="\//g, `$1="${origin}/`))}</content:encoded></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>Lamplight</title><link>${address("/blog")}</link><description>Lamplight</description><language>${language}</language>
<atom:link href="${address("/blog/feed.xml")}" rel="self" type="application/rss+xml"/>
${items.join("\n")}
</channel></rss>
`;
}
