import { isPublicPage, matchScreen } from "#shared/marketing/match-screen.ts";
import { screens, type ScreenName } from "#shared/screens.ts";
import { parsePages, type MarkdownPage } from "./markdown-pages.ts";
import { billing as germanBilling } from "#shared/messages/de/account/billing.ts";
import { site as german } from "#shared/messages/de/public/site.ts";
import { billing as englishBilling } from "#shared/messages/en/account/billing.ts";
import { site as english } from "#shared/messages/en/public/site.ts";
import { changelogPage } from "./changelog.ts";
import { storedTable } from "./stored-table.ts";

export type SiteLanguage = "en" | "de";
export const siteLanguages: readonly SiteLanguage[] = ["en", "de"];

export type SiteWords = Readonly<Record<keyof typeof english, string>>;
export const siteWords: Readonly<Record<SiteLanguage, SiteWords>> = { en: english, de: german };

export interface SitePage extends MarkdownPage {
  screen: ScreenName;
  language: SiteLanguage;
}

/** What the parts of a page are made from. */
export interface BodyProps {
  page: SitePage;
  /** Every page in the same language. */
  all: readonly SitePage[];
}

const files = import.meta.glob<string>("../content/**/*.md", { query: "?raw", import: "default", eager: true });

/** "Memory & sleep" as part of an address. */
export const topicSlug = (topic: string): string => topic.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");

/** One page for each topic of the blog; its address is that of the English topic. */
const topicPages = (posts: readonly MarkdownPage[], words: SiteWords): MarkdownPage[] =>
  [...new Set(posts.flatMap(({ topic }) => topic ?? []))].map((topic) => ({
    path: `/topic/${topicSlug(topic.split("/")[0] ?? topic)}`,
    title: `${words.posts_on} ${topicName(topic)}`,
    description: `${words.posts_on} ${topicName(topic)}`,
    topic,
    html: "",
    text: "",
  }));

/** A topic is written `memory/Gedächtnis`: its address, then its name; without a slash they are the same. */
export const topicName = (topic: string): string => topic.split("/").at(-1) ?? topic;
export const topicPath = (topic: string): string => `/topic/${topicSlug(topic.split("/")[0] ?? topic)}`;

/** For visitors alone; who is signed in gets the screen of the app. */
const pricingPage = (language: SiteLanguage): MarkdownPage => ({
  path: screens.pricing.path,
  title: siteWords[language].pricing,
  description: (language === "de" ? germanBilling : englishBilling).pricing_description,
  html: "",
  text: "",
});

function toSitePage(page: MarkdownPage, language: SiteLanguage): SitePage {
  const screen = matchScreen(page.path);
  if (screen === undefined || !(isPublicPage(screen) || screen === "pricing"))
    throw new Error(`${page.path} is no public page`);
  const html = page.html.replace("<p>@stored</p>", () => storedTable(language));
  return { ...page, html, screen, language };
}

/** Every public page in a language, in the order of the table of screens. */
export function listPages(language: SiteLanguage): SitePage[] {
  const written = Object.keys(files)
    .filter((name) => name.startsWith(`../content/${language}/`))
    .toSorted((a, b) => a.localeCompare(b))
    .flatMap((name) => parsePages(files[name] ?? ""));
  const posts = written.filter(({ path }) => path.startsWith("/blog/"));
  const all = [...written, ...topicPages(posts, siteWords[language]), changelogPage(language), pricingPage(language)];
  const order = Object.keys(screens);
  return all
    .map((page) => toSitePage(page, language))
    .toSorted((a, b) => order.indexOf(a.screen) - order.indexOf(b.screen));
}
