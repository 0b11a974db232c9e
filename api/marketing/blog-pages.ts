import { formatDay } from "#shared/marketing/format-day.ts";
import { escapeHtml } from "#api/http/site/escape-html.ts";
import { fillPage, missingText, type PageValues } from "#api/http/site/fill-page.ts";
import { type Language, LANGUAGES } from "#api/http/site/visitor-language.ts";
import type { PostSummary } from "./posts-store.ts";

/** A post in the language in which it is shown. */
export interface ShownPost {
  slug: string;
  topic: string;
  date: string;
  title: string;
  description: string;
  topicName: string;
  language: Language;
  /** The languages in which the post is written. */
  languages: readonly Language[];
}

export const languagesOf = ({ summaries }: Pick<PostSummary, "summaries">): Language[] =>
  LANGUAGES.filter((language) => summaries[language] !== undefined);

/** The post in the wanted language, or in the other language if it is not written in the wanted one. */
export function showPost(post: PostSummary, wanted: Language): ShownPost | undefined {
  const { slug, topic, date, summaries } = post;
  const language = ([wanted, "en", "de"] as const).find((candidate) => summaries[candidate] !== undefined);
  const head = language && summaries[language];
  return head && { slug, topic, date, ...head, language, languages: languagesOf(post) };
}

export const postPath = (slug: string): string => `/blog/${slug}`;
export const topicPath = (topic: string): string => `/topic/${topic}`;

const MAX_RELATED = 4;

const timeOf = ({ date }: ShownPost, language: Language) =>
  `<time datetime="${escapeHtml(date)}">${escapeHtml(formatDay(date, language))}</time>`;

/** Posts of the same topic come first. */
export function listRelated(post: ShownPost, others: readonly ShownPost[]): ShownPost[] {
  const candidates = others.filter(({ slug }) => slug !== post.slug);
  const hasSameTopic = ({ topic }: ShownPost) => topic === post.topic;
  return [...candidates.filter(hasSameTopic), ...candidates.filter((other) => !hasSameTopic(other))].slice(
    0,
    MAX_RELATED,
  );
}

const linkTo = ({ slug, title }: ShownPost) => `<a href="${escapeHtml(postPath(slug))}">${escapeHtml(title)}</a>`;

const listHtml = (posts: readonly ShownPost[], language: Language) =>
  posts
    .map((post) => {
      const description = post.description === "" ? "" : `<p>${escapeHtml(post.description)}</p>`;
      return `<li><h2>${linkTo(post)}</h2>${description}<p class="post-date">${bylineHtml(post, language)}</p></li>`;
    })
    .join("");

const bylineHtml = (post: ShownPost, language: Language) =>
  `${timeOf(post, language)} · <a href="${escapeHtml(topicPath(post.topic))}">${escapeHtml(post.topicName)}</a>`;

const relatedHtml = (posts: readonly ShownPost[]) => posts.map((post) => `<li>${linkTo(post)}</li>`).join("");

/** Inside JSON, `</script>` would end the block. */
const escapeJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll("<", String.raw`\u003c`);

const STRUCTURED_DATA = /(<script type="application\/ld\+json">)([\s\S]*?)(<\/script>)/g;

interface Filling {
  language: Language;
  /** Values that describe the installation. */
  site: PageValues;
  /** Text for `{{NAME}}`. */
  texts: PageValues;
  /** HTML for `<!--html:NAME-->`. */
  parts: Readonly<Record<string, string>>;
}

/**
 * Fills a page of the build with texts and HTML of the store. The HTML is inserted last, so that placeholders in it are
 * not filled.
 */
export function fillBlogPage(shell: string, { language, site, texts, parts }: Filling): string {
  const withData = shell.replaceAll(
    STRUCTURED_DATA,
    (_, start: string, json: string, end: string) =>
      start + json.replaceAll(/\{\{(POST_\w+)\}\}/g, (__, name: string) => escapeJson(texts[name] ?? "")) + end,
  );
  return fillPage(withData, { ...site, ...texts }, missingText[language]).replaceAll(
    /<!--html:(\w+)-->/g,
    (_, name: string) => parts[name] ?? "",
  );
}

/** Links from the head of a page to the same page in each language. */
const ALTERNATES = /<link rel="alternate" hreflang="[^"]*"[^>]*>/gi;

/** Fills the page of a post. The text `RELATED` is set only if there are related posts. */
export function fillPost(
  shell: string,
  { post, html, others }: { post: ShownPost; html: string; others: readonly ShownPost[] },
  site: PageValues,
): string {
  const related = listRelated(post, others);
  // In a language in which the post is not written, its address shows the other language.
  return fillBlogPage(post.languages.length > 1 ? shell : shell.replaceAll(ALTERNATES, ""), {
    language: post.language,
    site,
    texts: {
      POST_TITLE: post.title,
      POST_DESCRIPTION: post.description,
      POST_SLUG: post.slug,
      POST_DATE: post.date,
      RELATED: related.length > 0 ? "yes" : undefined,
    },
    parts: { POST: html, BYLINE: bylineHtml(post, post.language), RELATED: relatedHtml(related) },
  });
}

/** Fills the page that lists the posts of the blog or of a topic. */
export function fillList(
  shell: string,
  { posts, language, topic }: { posts: readonly ShownPost[]; language: Language; topic?: string },
  site: PageValues,
): string {
  return fillBlogPage(shell, {
    language,
    site,
    texts: { POST_TITLE: posts[0]?.topicName, POST_SLUG: topic },
    parts: { POSTS: listHtml(posts, language) },
  });
}
