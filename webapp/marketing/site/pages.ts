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

/** The props of a page's parts. */
export interface PageContentProps {
  page: SitePage;
  /** Every page in the same language. */
  pages: readonly SitePage[];
}

const files = import.meta.glob<string>("../content/**/*.md", { query: "?raw", import: "default", eager: true });

/** Templates for posts and topics, which the server fills from the store (`api/marketing/blog-pages.ts`). */
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

/** The pricing page for visitors. Signed-in users get the app's screen instead. */
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
    throw new Error(`${page.path} is not a public page`);
  const html = page.html.replace("<p>@stored</p>", () => storedTable(language));
  return { ...page, html, screen, language };
}

const readContent = (language: SiteLanguage): MarkdownPage[] =>
  Object.keys(files)
    .filter((name) => name.startsWith(`../content/${language}/`))
    .toSorted((a, b) => a.localeCompare(b))
    .flatMap((name) => parsePages(files[name] ?? ""));

const isPost = ({ path }: MarkdownPage) => path.startsWith("/blog/");

/** The posts of a new installation. A topic such as `memory/Gedächtnis` has an address and a name in the language. */
export const listSeedPosts = (language: SiteLanguage) =>
  readContent(language)
    .filter(isPost)
    .map(({ path, title, description, date = "", topic = "", source = "" }) => {
      const [topicSlug = "", topicName = topicSlug] = topic.split("/");
      return { slug: path.replace("/blog/", ""), title, description, date, topic: topicSlug, topicName, source };
    });

/** All public pages in a language, in the order of the screens table. Posts and topics have one template each. */
export function listPages(language: SiteLanguage): SitePage[] {
  const written = readContent(language).filter((page) => !isPost(page));
  const all = [...written, ...shellPages(siteWords[language]), changelogPage(language), pricingPage(language)];
  const order = Object.keys(screens);
  return all
    .map((page) => toSitePage(page, language))
    .toSorted((a, b) => order.indexOf(a.screen) - order.indexOf(b.screen));
}
