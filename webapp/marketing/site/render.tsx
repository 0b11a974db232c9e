import { fullTitle, pictureOf, renderPage, scriptsOf, type SiteAssets } from "./document.tsx";
import { isShell, listPages, listSeedPosts, siteLanguages, type SiteLanguage } from "./pages.ts";

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

/** A post of a new installation, with what it says in each language. */
interface SeedPost {
  slug: string;
  topic: string;
  date: string;
  heads: Partial<Record<SiteLanguage, { title: string; description: string; topicName: string }>>;
  bodies: Partial<Record<SiteLanguage, string>>;
}

interface Site {
  pages: BuiltPage[];
  /** What posts and topics are filled into. */
  shells: { language: SiteLanguage; name: "post" | "topic"; html: string }[];
  /** For the search of the help, by language. */
  search: Record<string, { path: string; title: string; text: string }[]>;
  seedPosts: SeedPost[];
}

function readSeedPosts(): SeedPost[] {
  const posts = new Map<string, SeedPost>();
  for (const language of siteLanguages)
    for (const { slug, topic, date, title, description, topicName, source } of listSeedPosts(language)) {
      const post = posts.get(slug) ?? { slug, topic, date, heads: {}, bodies: {} };
      post.heads[language] = { title, description, topicName };
      post.bodies[language] = source;
      posts.set(slug, post);
    }
  return [...posts.values()];
}

/** Renders every public page, for the build. */
export function renderSite(assets: SiteAssets): Site {
  const site: Site = { pages: [], shells: [], search: {}, seedPosts: readSeedPosts() };
  for (const language of siteLanguages) {
    const all = listPages(language);
    site.search[language] = all
      .filter(({ screen }) => screen === "helpArticle")
      .map(({ path, title, text, description }) => ({ path, title, text: `${description} ${text}` }));
    for (const page of all.filter(isShell)) {
      const name = page.screen === "blogPost" ? "post" : "topic";
      site.shells.push({ language, name, html: renderPage({ page, all }, assets) });
    }
    for (const page of all.filter((one) => !isShell(one)))
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
