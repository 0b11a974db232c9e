import type { BuiltSite, SeedPost, SiteAssets } from "#webapp/build/built-site.ts";
import { makeStarter } from "../starter/make-starter.ts";
import { fullTitle, pictureOf, renderPage, scriptsOf } from "./document.tsx";
import { isShell, listPages, listSeedPosts, siteLanguages } from "./pages.ts";
import { listSearchable } from "./questions.ts";

function readSeedPosts(): SeedPost[] {
  const posts = new Map<string, SeedPost>();
  for (const language of siteLanguages)
    for (const { slug, topic, date, title, description, topicName, source } of listSeedPosts(language)) {
      const post = posts.get(slug) ?? { slug, topic, date, summaries: {}, bodies: {} };
      post.summaries[language] = { title, description, topicName };
      post.bodies[language] = source;
      posts.set(slug, post);
    }
  return [...posts.values()];
}

/** Renders every public page, for the build. */
export function renderSite(assets: SiteAssets): BuiltSite {
  const site: BuiltSite = { pages: [], shells: [], search: {}, seedPosts: readSeedPosts(), starter: makeStarter() };
  for (const language of siteLanguages) {
    const pages = listPages(language);
    site.search[language] = listSearchable(pages);
    for (const page of pages.filter(isShell)) {
      const name = page.screen === "blogPost" ? "post" : "topic";
      site.shells.push({ language, name, html: renderPage({ page, pages }, assets) });
    }
    for (const page of pages.filter((other) => !isShell(other)))
      site.pages.push({
        path: page.path,
        language,
        title: fullTitle(page),
        name: page.title,
        picture: pictureOf(page),
        date: page.date,
        html: renderPage({ page, pages }, assets),
        scripts: scriptsOf(page),
      });
  }
  return site;
}
