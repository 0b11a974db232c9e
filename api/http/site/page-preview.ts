import { escapeHtml } from "./escape-html.ts";
import type { Language } from "./visitor-language.ts";

interface PreviewLink {
  title: string;
  path: string;
  text?: string;
}

/** Metadata of a screen of the app, for link previews, search engines and readers without scripts. */
export interface PagePreview {
  title: string;
  description: string;
  /** Whether search engines may list the page. */
  isIndexable: boolean;
  /** Only of a page that lists others. */
  list?: {
    language: Language;
    /** The title of the document. */
    fullTitle: string;
    items: readonly PreviewLink[];
    /** Pages of the same kind. */
    related: readonly PreviewLink[];
  };
}

/** Inside a script, `</script>` in a text would end the block. */
const toScriptData = (data: unknown) => JSON.stringify(data).replaceAll("<", String.raw`\u003c`);

type List = NonNullable<PagePreview["list"]>;

function structuredData({ title, description }: PagePreview, { language, items }: List, address: string): string {
  const origin = new URL(address).origin;
  const data = {
    "@context": "https://schema.org",
    "@type": "CollectionPage",
    name: title,
    description,
    url: address,
    inLanguage: language,
    mainEntity: {
      "@type": "ItemList",
      itemListElement: items.map((item, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: item.title,
        url: origin + item.path,
      })),
    },
  };
  return `<script type="application/ld+json">${toScriptData(data)}</script>`;
}

const linkHtml = ({ title, path, text = "" }: PreviewLink) =>
  `<li><a href="${escapeHtml(path)}">${escapeHtml(title)}</a>${text === "" ? "" : `<p>${escapeHtml(text)}</p>`}</li>`;

/** What the app shows, for readers without scripts. */
function listHtml({ title, description }: PagePreview, { items, related }: List): string {
  const nav = related.length === 0 ? "" : `<nav><ul>${related.map(linkHtml).join("")}</ul></nav>`;
  return `<noscript><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>${nav}<ul>${items.map(linkHtml).join("")}</ul></main></noscript>`;
}

/**
 * Adds metadata to the app's shell: Open Graph (https://ogp.me), which chat apps and social networks read, and of a page
 * that search engines may list also its own address. User text is escaped.
 */
export function addPreview(shell: string, preview: PagePreview, address: string): string {
  const { title, description, isIndexable, list } = preview;
  const properties = {
    type: list ? "website" : "article",
    site_name: "Lamplight",
    title: escapeHtml(title),
    description: escapeHtml(description),
    url: escapeHtml(address),
  };
  const tags = Object.entries(properties)
    .filter(([, content]) => content !== "")
    .map(([name, content]) => `<meta property="og:${name}" content="${content}" />`);
  const head = [
    `<title>${escapeHtml(list?.fullTitle ?? title)}</title>`,
    properties.description && `<meta name="description" content="${properties.description}" />`,
    isIndexable ? `<link rel="canonical" href="${properties.url}" />` : '<meta name="robots" content="noindex" />',
    ...tags,
    list ? structuredData(preview, list, address) : "",
  ].join("");
  // Replace the description of the app by that of this page.
  const document = shell.replace(/<meta\s+name="description"[^>]*>\s*/, "").replace(/<title>.*?<\/title>/, () => head);
  if (!list) return document;
  return document
    .replace(/<html lang="\w+"/, `<html lang="${list.language}"`)
    .replace(/<body[^>]*>/, (body) => body + listHtml(preview, list));
}
