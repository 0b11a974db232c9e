import { renderToStaticMarkup } from "react-dom/server";
import type { SiteAssets } from "#webapp/build/built-site.ts";
import { PageContent } from "./page-content.tsx";
import { SiteFrame } from "./frame.tsx";
import { listQuestions } from "./questions.ts";
import { siteLanguages, siteWords, type PageContentProps, type SitePage } from "./pages.ts";
import { parentOf } from "./site-breadcrumb.tsx";
import { toolOf, toolWordsOf } from "./tool-body.tsx";

/** A placeholder that the server replaces with its origin. */
const ORIGIN = "{{ORIGIN}}";

/** The URL of a page in a language. English URLs have no `lang` parameter. */
const addressOf = (path: string, language: string) => `${ORIGIN}${path}${language === "en" ? "" : `?lang=${language}`}`;

export const fullTitle = ({ screen, title, language }: SitePage): string =>
  screen === "landing" ? `${siteWords[language].product}: ${title}` : `${title} · ${siteWords[language].product}`;

/** The script entries that a page needs. Most pages need none. */
export function scriptsOf(page: SitePage): string[] {
  if (page.screen === "help") return ["help-search"];
  if (page.screen === "helpArticle") return ["help-rating"];
  if (page.screen === "pricing") return ["pricing"];
  const tool = toolOf(page.screen);
  return tool ? [tool.entry] : [];
}

/** Escapes `<`, because `</script>` in a text would end the block. */
const toScriptData = (data: unknown) => JSON.stringify(data).replaceAll("<", String.raw`\u003c`);

function structuredData({ page, pages }: PageContentProps): unknown[] {
  const { product } = siteWords[page.language];
  const url = addressOf(page.path, page.language);
  const common = {
    name: page.title,
    headline: page.title,
    description: page.description,
    url,
    inLanguage: page.language,
  };
  const free = { "@type": "Offer", price: "0", priceCurrency: "EUR" };
  const parent = parentOf({ page, pages });
  const item = ({ path, title, language }: SitePage, position: number) => ({
    "@type": "ListItem",
    position,
    name: title,
    item: addressOf(path, language),
  });
  const trail = parent ? [{ "@type": "BreadcrumbList", itemListElement: [item(parent, 1), item(page, 2)] }] : [];
  if (page.screen === "landing" || toolOf(page.screen))
    return [
      {
        "@type": "SoftwareApplication",
        ...common,
        name: page.screen === "landing" ? product : page.title,
        applicationCategory: "EducationalApplication",
        operatingSystem: "Web",
        offers: free,
      },
      ...trail,
    ];
  if (page.screen === "blogPost")
    return [
      {
        "@type": "BlogPosting",
        ...common,
        datePublished: page.date,
        publisher: { "@type": "Organization", name: product },
      },
      ...trail,
    ];
  if (page.screen === "faq") return [{ "@type": "FAQPage", ...common, mainEntity: questionData(pages) }, ...trail];
  return [{ "@type": "WebPage", ...common }, ...trail];
}

const questionData = (pages: PageContentProps["pages"]) =>
  listQuestions(pages).map(({ title, html }) => ({
    "@type": "Question",
    name: title,
    acceptedAnswer: { "@type": "Answer", text: html },
  }));

/** In Open Graph, a language has a territory. */
const ogLocales = { en: "en_US", de: "de_DE" } as const satisfies Record<SitePage["language"], string>;

function Head({ page, pages, assets }: PageContentProps & { assets: SiteAssets }) {
  const title = fullTitle(page);
  const entries = scriptsOf(page);
  const url = addressOf(page.path, page.language);
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={url} />
      {siteLanguages.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={addressOf(page.path, language)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={`${ORIGIN}${page.path}`} />
      <link
        rel="alternate"
        type="application/rss+xml"
        title={siteWords[page.language].blog}
        href={`/blog/feed.xml?lang=${page.language}`}
      />
      <meta property="og:type" content={page.screen === "blogPost" ? "article" : "website"} />
      <meta property="og:site_name" content={siteWords[page.language].product} />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={ogLocales[page.language]} />
      <meta property="og:image" content={`${ORIGIN}${pictureOf(page)}`} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#151412" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="manifest" href="/manifest.webmanifest" />
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="" href={href} />
      ))}
      <script
        data-site={page.language}
        data-app={entries.flatMap((entry) => assets.scripts[entry] ?? []).join(" ") || undefined}
        dangerouslySetInnerHTML={{ __html: assets.boot }}
      />
      <style
        dangerouslySetInnerHTML={{ __html: [assets.css, ...entries.map((entry) => assets.styles[entry])].join("") }}
      />
      {structuredData({ page, pages }).map((data) => (
        <script
          key={toScriptData(data)}
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: toScriptData({ "@context": "https://schema.org", ...(data as object) }) }}
        />
      ))}
    </head>
  );
}

/** The path of the preview picture that the build draws for links to the page. */
export const pictureOf = ({ path, language }: Pick<SitePage, "path" | "language">): string =>
  `/previews/${language}${path === "/" ? "/index" : path}.png`;

/** Renders the whole document of a page. The server fills in its origin and the operator's details. */
export function renderPage({ page, pages }: PageContentProps, assets: SiteAssets): string {
  const words = toolOf(page.screen) ? toScriptData(toolWordsOf(page.language)) : undefined;
  const markup = renderToStaticMarkup(
    <html lang={page.language} dir="ltr">
      <Head page={page} pages={pages} assets={assets} />
      <body>
        {words !== undefined && (
          <script id="tool-words" type="application/json" dangerouslySetInnerHTML={{ __html: words }} />
        )}
        <SiteFrame page={page}>
          <PageContent page={page} pages={pages} />
        </SiteFrame>
      </body>
    </html>,
  );
  return `<!doctype html>${markup}`;
}
