import { fullTitle, pictureOf, renderPage, scriptsOf, type SiteAssets } from "./document.tsx";
import { listPages, siteLanguages } from "./pages.ts";

/** A page as the server needs to know it. */
interface BuiltPage {
  path: string;
  language: string;
  title: string;
  /** The title without the product's name, for the picture. */
  name: string;
  picture: string;
  date: string | undefined;
  html: string;
  /** The entries of its scripts. */
  scripts: readonly string[];
}

interface Site {
  pages: BuiltPage[];
  /** For the search of the help, by language. */
  search: Record<string, { path: string; title: string; text: string }[]>;
  /** For the feed, by language. */
  posts: Record<string, { path: string; title: string; description: string; date: string; html: string }[]>;
}

/** Renders every public page, for the build. */
export function renderSite(assets: SiteAssets): Site {
  const site: Site = { pages: [], search: {}, posts: {} };
  for (const language of siteLanguages) {
    const all = listPages(language);
    site.search[language] = all
      .filter(({ screen }) => screen === "helpArticle")
      .map(({ path, title, text, description }) => ({ path, title, text: `${description} ${text}` }));
    site.posts[language] = all
      .filter(({ screen }) => screen === "blogPost")
      .map(({ path, title, description, date = "", html }) => ({ path, title, description, date, html }))
      .toSorted((a, b) => b.date.localeCompare(a.date));
    for (const page of all)
      site.pages.push({
        path: page.path,
        language,
        title: fullTitle(page),
        name: page.title,
        picture: pictureOf(page),
        date: page.date,
        html: renderPage({ page, all }, assets),
        scripts: scriptsOf(page),
      });
  }
  return site;
}
