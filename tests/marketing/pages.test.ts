import { globSync } from "node:fs";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { isPublicPage, matchScreen } from "#shared/marketing/match-screen.ts";
import { english as englishWords } from "#shared/messages/english.ts";
import { table as germanWords, titles as germanTitles } from "#shared/messages/german.ts";
import { renderPost } from "#shared/marketing/post-markdown.ts";
import { blogRedirect } from "#shared/marketing/redirects.ts";
import { screens, type ScreenName } from "#shared/screens.ts";
import { fillPage } from "#api/http/site/fill-page.ts";
import { fullTitle, renderPage } from "#webapp/marketing/site/document.tsx";
import { listQuestions, listSearchable } from "#webapp/marketing/site/questions.ts";
import { toolWordsOf } from "#webapp/marketing/site/tool-body.tsx";
import { listPages, listSeedPosts, siteLanguages } from "#webapp/marketing/site/pages.ts";

const assets = { css: "", boot: "", fonts: [], scripts: {}, styles: {} };
const sites = siteLanguages.map((language) => ({ language, all: listPages(language) }));
const render = (path: string, language: "en" | "de" = "en") => {
  const all = listPages(language);
  const page = all.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`No page at ${path}`);
  return parseHTML(renderPage({ page, pages: all }, assets)).document;
};

test.each(sites)(
  "every public screen of the table has a page in $language, and no page is without a screen",
  ({ all }) => {
    const names = (Object.keys(screens) as ScreenName[]).filter(isPublicPage);
    expect(names.filter((name) => !all.some(({ screen }) => screen === name))).toEqual([]);
    for (const name of names.filter((screen) => !/[:*]/.test(screens[screen].path)))
      expect(all.filter(({ path }) => path === screens[name].path).length).toBe(1);
  },
);

test("a new installation begins with the same posts in each language", () => {
  const [english = [], german = []] = siteLanguages.map((language) =>
    listSeedPosts(language).map(({ slug, topic, date }) => ({ slug, topic, date })),
  );
  expect(english.length).toBeGreaterThanOrEqual(8);
  expect(german).toEqual(english);
  for (const language of siteLanguages)
    for (const { title, description, topicName, source } of listSeedPosts(language))
      for (const text of [title, description, topicName, source]) expect(text).not.toBe("");
});

test("the same addresses exist in each language", () => {
  const [english = [], german = []] = sites.map(({ all }) => all.map(({ path }) => path).toSorted());
  expect(german).toEqual(english);
  expect(new Set(english).size).toBe(english.length);
});

test.each(sites)("every page in $language has its own title and a description that fits", ({ all }) => {
  const titles = all.map(fullTitle);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  expect(all.filter(({ description }) => description.length < 15 || description.length > 190)).toEqual([]);
});

test.each(sites)("no page in $language has the title of a screen of the workspace", ({ language, all }) => {
  // A screen with a parameter is named after what it shows.
  const workspace = Object.values(screens).filter(
    ({ access, path }) => /user|admin/.test(access) && !path.includes(":"),
  );
  const titles = new Set(workspace.map(({ title }) => (language === "de" ? germanTitles[title] : title) ?? title));
  expect(workspace.length).toBeGreaterThan(25);
  expect(all.map(({ title }) => title).filter((title) => titles.has(title))).toEqual([]);
});

test.each(sites)(
  "every link on every page in $language leads to a screen, and links to public pages lead to existing ones",
  ({ language, all }) => {
    const posts = listSeedPosts(language).map(({ slug, source }) => ({ path: `/blog/${slug}`, source }));
    const paths = new Set([...all, ...posts].map(({ path }) => path));
    const documents = [
      ...all.map((page) => ({ path: page.path, html: renderPage({ page, pages: all }, assets) })),
      ...posts.map(({ path, source }) => ({ path, html: `<html><body>${renderPost(source)}</body></html>` })),
    ];
    const dead = documents.flatMap((page) => {
      const { document } = parseHTML(page.html);
      const links = [...document.querySelectorAll("a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
      return links
        .map((href) => href.split(/[?#]/)[0] ?? "")
        .filter((path) => {
          const screen = matchScreen(path);
          return path !== "/blog/feed.xml" && (screen === undefined || (isPublicPage(screen) && !paths.has(path)));
        })
        .map((path) => `${page.path} → ${path}`);
    });
    expect(dead).toEqual([]);
  },
);

const tables = { en: englishWords, de: germanWords } as const;
const valuesOf = (messages: object): string[] =>
  Object.values(messages).flatMap((value: string | object) => (typeof value === "string" ? [value] : valuesOf(value)));

test.each(sites)("bold words in the help in $language are the exact label of a control", ({ language, all }) => {
  const labels = new Set(valuesOf([tables[language], toolWordsOf(language)]));
  const articles = all.filter(({ screen }) => screen === "helpArticle");
  const named = articles.flatMap(({ path, source = "" }) =>
    [...source.matchAll(/\*\*(.+?)\*\*/g)].map(([, label = ""]) => ({ path, label })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ label }) => !labels.has(label))).toEqual([]);
});

test.each(sites)("the pages in $language show every generated picture, and no other", ({ language, all }) => {
  const shown = new Set(
    all.flatMap(({ html }) => [...html.matchAll(/<img [^>]*src="\/pictures\/([^"]+)"/g)].map(([, name = ""]) => name)),
  );
  const made = globSync(`${language}/**/*.webp`, { cwd: "webapp/public/pictures" });
  expect([...shown].toSorted()).toEqual(made.toSorted());
});

test.each(sites)(
  "most help articles in $language have a picture, which is described and does not move the text",
  ({ all }) => {
    const articles = all.filter(({ screen }) => screen === "helpArticle");
    const pictures = articles.flatMap(({ html }) => [...parseHTML(html).document.querySelectorAll("img")]);
    expect(articles.length - articles.filter(({ html }) => html.includes("<img ")).length).toBeLessThanOrEqual(8);
    for (const picture of pictures) {
      expect(picture.getAttribute("alt")?.length).toBeGreaterThan(8);
      expect(["width", "height", "loading"].map((name) => picture.getAttribute(name))).toEqual(["960", "600", "lazy"]);
    }
  },
);

test("the landing page says what the product is and leads to registration and sign-in", () => {
  const document = render("/");
  const heading = document.querySelector("h1")?.textContent?.replaceAll(/\s+/g, " ");
  expect(heading).toBe("Read it once. Keep it, and know where it came from.");
  const links = [...document.querySelectorAll("a")].map((link) => `${link.textContent} ${link.getAttribute("href")}`);
  expect(links).toContain("Start studying /register");
  expect(links).toContain("Sign in /login");
});

test.each(siteLanguages)(
  "the landing page and the help in %s link to the stores that the operator has set",
  (language) => {
    const EXTENSION_CHROME_URL = "https://store.example.org/chrome?a=1&b=2";
    for (const path of ["/", "/help/extension/install"]) {
      const html = render(path, language).documentElement.outerHTML;
      const storesOf = (values: Record<string, string>) =>
        [
          ...parseHTML(fillPage(html, values, "?")).document.querySelectorAll<HTMLAnchorElement>(
            'main a[rel="noopener"]',
          ),
        ]
          .map(({ href }) => href)
          .filter((href) => !href.startsWith("/"));
      expect(storesOf({})).toEqual([]);
      expect(storesOf({ EXTENSION_CHROME_URL })).toEqual([EXTENSION_CHROME_URL]);
    }
  },
);

test.each(sites)("no page in $language shows Markdown that was not rendered", ({ all }) => {
  const raw = /\*\*\w|\]\((?:\/|https?:)|`/;
  const shown = all.map(({ path, html }) => ({ path, text: parseHTML(`<main>${html}</main>`).document }));
  for (const { text } of shown) for (const code of text.querySelectorAll("code, pre")) code.remove();
  expect(shown.filter(({ text }) => raw.test(text.documentElement.textContent)).map(({ path }) => path)).toEqual([]);
});

test("a page names its address, its other language and its picture for search engines and links", () => {
  const document = render("/features/pdf", "de");
  const links = [...document.querySelectorAll("link")];
  const href = (name: string, value: string) =>
    links.find((link) => link.getAttribute(name) === value)?.getAttribute("href");
  expect(href("rel", "canonical")).toBe("{{ORIGIN}}/features/pdf?lang=de");
  expect(href("hrefLang", "en")).toBe("{{ORIGIN}}/features/pdf");
  const picture = document.querySelector("meta[property='og:image']")?.getAttribute("content");
  expect(picture).toBe("{{ORIGIN}}/previews/de/features/pdf.png");
  expect(document.documentElement.getAttribute("lang")).toBe("de");
});

interface StructuredData {
  "@type": string;
  mainEntity?: { name: string; acceptedAnswer: { text: string } }[];
}

const structuredDataOf = (path: string, language: "en" | "de" = "en") =>
  [...render(path, language).querySelectorAll("script[type='application/ld+json']")].map(
    (script) => JSON.parse(script.textContent ?? "") as StructuredData,
  );
const types = (path: string) => structuredDataOf(path).map((data) => data["@type"]);

test("questions and answers, and tools describe themselves in JSON-LD", () => {
  expect(types("/faq")).toEqual(["FAQPage"]);
  expect(types("/tools/citation-generator")).toEqual(["SoftwareApplication", "BreadcrumbList"]);
});

test("the questions name their page and its language for search engines, with each answer", () => {
  const [faq] = structuredDataOf("/faq", "de");
  expect(faq).toMatchObject({ url: "{{ORIGIN}}/faq?lang=de", inLanguage: "de" });
  const headings = [...render("/faq", "de").querySelectorAll("h2[id]")].map((heading) => heading.textContent);
  expect(faq?.mainEntity?.map(({ name }) => name)).toEqual(headings);
  expect(faq?.mainEntity?.filter(({ acceptedAnswer }) => !/^<p>[\s\S]+<\/p>$/.test(acceptedAnswer.text))).toEqual([]);
});

test.each(sites)(
  "the help in $language lists every question, and its search finds each of them",
  ({ language, all }) => {
    const questions = listQuestions(all);
    expect(questions.length).toBeGreaterThanOrEqual(10);
    const shown = render("/help", language);
    const links = new Set([...shown.querySelectorAll("#help-topics a")].map((link) => link.getAttribute("href")));
    const headings = new Set([...render("/faq", language).querySelectorAll("h2[id]")].map(({ id }) => `/faq#${id}`));
    const found = new Map(listSearchable(all).map((article) => [article.path, article]));
    for (const { path, title } of questions) {
      expect([links.has(path), headings.has(path), found.get(path)?.title]).toEqual([true, true, title]);
      expect(found.get(path)?.about).toMatch(/^[^<&]+[.!?]$/);
    }
  },
);

test.each([
  ["en", "en_US"],
  ["de", "de_DE"],
] as const)("the preview of a page in %s names its language as Open Graph wants it", (language, locale) => {
  expect(render("/", language).querySelector("meta[property='og:locale']")?.getAttribute("content")).toBe(locale);
});

test("a blog address without a post redirects to the page about its subject", () => {
  expect(blogRedirect("/blog/best-quizlet-alternative")).toBe("/tools/flashcard-maker");
  expect(blogRedirect("/blog/anki-flashcards")).toBe("/features/flashcards");
  expect(blogRedirect("/blog/homework-in-an-hour")).toBe("/ai/homework-help");
  expect(blogRedirect("/blog/something-else")).toBeUndefined();
});

test.each([
  { PAYMENTS: "configured", NEW_FREE: "new" },
  { PAYMENTS: "configured", NEW_PLUS: "new" },
  { NEW_FREE: "new" },
  { NEW_PLUS: "new" },
  { NEW_ULTIMATE: "new" },
])("links to what the free plan includes lead somewhere on a server with %o", (values) => {
  const html = fillPage(render("/pricing").documentElement.outerHTML, values, "");
  expect(parseHTML(html).document.querySelectorAll("#free")).toHaveLength(1);
});

test.each([
  ["en", "Here cards are made on your device and are not counted", "you can study 3 of them a day"],
  ["de", "Hier entstehen Karten auf deinem Gerät und werden nicht gezählt", "du kannst 3 davon am Tag lernen"],
] as const)("a tool in %s shows what it counts and what a free account counts", (language, here, account) => {
  const { document } = parseHTML(
    fillPage(render("/tools/pdf-to-flashcards", language).documentElement.outerHTML, { NEW_FREE: "new" }, ""),
  );
  const counts = document.querySelector(".tool-counts")?.textContent ?? "";
  expect(counts).toContain(here);
  expect(counts).toContain(account);
  // Cards written by hand have no source.
  const byHand = render("/tools/flashcard-maker", language).querySelector(".tool-counts")?.innerHTML ?? "";
  expect(byHand).not.toContain("30");
  expect(byHand).toContain(account);
});

test("the flashcard maker speaks of no file and no passages, which cards written by hand do not have", () => {
  const text = render("/tools/flashcard-maker").querySelector(".tool-keep p")?.textContent;
  expect(text).toBe("Create a free account to keep these cards.");
});

test.each([
  ["en", "$6.33", "5 a day", "No limit", "3 cards to study"],
  ["de", "6,33", "5 am Tag", "Kein Limit", "3 Karten zum Lernen"],
] as const)("prices and limits for visitors are in the document in %s", (language, price, ...limits) => {
  const document = render("/pricing", language);
  const text = document.querySelector("#pricing")?.textContent ?? "";
  for (const words of [price, ...limits, "{{STORAGE_GB_PLUS}} GB"]) expect(text).toContain(words);
  const amounts = [...document.querySelectorAll("[data-amount='percent']")].map((amount) => amount.textContent);
  expect(new Set(amounts)).toEqual(new Set(["20", "40"]));
  const links = [...document.querySelectorAll("a.plan-price-button")].map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/register", "/login?from=%2Fpricing", "/login?from=%2Fpricing"]);
  // The second table is shown by servers that take no payments.
  expect(document.querySelectorAll("table.plan-table")).toHaveLength(2);
});
