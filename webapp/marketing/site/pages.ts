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

/** Posts and topics are in the store: the server fills these pages (`api/marketing/blog-pages.ts`). */
const shellPages = (words: SiteWords): MarkdownPage[] => [
  {
    path: "/blog/{{POST_SLUG}}",
    title: "{{POST_TITLE}}",
    description: "{{POST_DESCRIPTION}}",
    date: "{{POST_DATE}}",
    html: "<!--html:POST-->",
    text: "",
  },
  {
    path: "/topic/{{POST_SLUG}}",
    title: `${words.posts_on} {{POST_TITLE}}`,
    description: `${words.posts_on} {{POST_TITLE}}`,
    html: "",
    text: "",
  },
];

export const isShell = ({ path }: Pick<SitePage, "path">): boolean => path.includes("{{");

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

const readContent = (language: SiteLanguage): MarkdownPage[] =>
  Object.keys(files)
    .filter((name) => name.startsWith(`../content/${language}/`))
    .toSorted((a, b) => a.localeCompare(b))
    .flatMap((name) => parsePages(files[name] ?? ""));

const isPost = ({ path }: MarkdownPage) => path.startsWith("/blog/");

/** The posts that a new installation begins with, in a language. A topic is written `memory/Gedächtnis`: address, name. */
export const listSeedPosts = (language: SiteLanguage) =>
  readContent(language)
    .filter(isPost)
    .map(({ path, title, description, date = "", topic = "", source = "" }) => {
      const [topicSlug = "", topicName = topicSlug] = topic.split("/");
      return { slug: path.replace("/blog/", ""), title, description, date, topic: topicSlug, topicName, source };
    });

/** Every public page in a language, in the order of the table of screens; posts and topics as shells. */
export function listPages(language: SiteLanguage): SitePage[] {
  const written = readContent(language).filter((page) => !isPost(page));
  const all = [...written, ...shellPages(siteWords[language]), changelogPage(language), pricingPage(language)];
  const order = Object.keys(screens);
  return all
    .map((page) => toSitePage(page, language))
    .toSorted((a, b) => order.indexOf(a.screen) - order.indexOf(b.screen));
}
