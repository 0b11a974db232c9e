import type { BuiltSite, SiteAssets } from "#webapp/build/built-site.ts";
import { fullTitle, pictureOf, renderPage, scriptsOf } from "./document.tsx";
import { listPages, siteLanguages } from "./pages.ts";

/** Renders every public page, for the build. */
export function renderSite(assets: SiteAssets): BuiltSite {
  const site: BuiltSite = { pages: [], search: {}, posts: {} };
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
