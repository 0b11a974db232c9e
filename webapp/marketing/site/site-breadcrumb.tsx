import { siteWords, type PageContentProps, type SitePage } from "./pages.ts";

const parents: Partial<Record<SitePage["screen"], string>> = {
  helpArticle: "/help",
  blogPost: "/blog",
  topic: "/blog",
};

/** The parent page, for the breadcrumb and for search engines. */
export function parentOf({ page, pages }: PageContentProps): SitePage | undefined {
  const path = parents[page.screen] ?? page.path.replace(/\/[^/]+$/, "");
  return path === page.path ? undefined : pages.find((other) => other.path === path);
}

export function SiteBreadcrumb({ page, pages }: PageContentProps) {
  const parent = parentOf({ page, pages });
  const words = siteWords[page.language];
  if (!parent) return null;
  return (
    <nav className="site-breadcrumb" aria-label={words.breadcrumb}>
      <a href={parent.path}>{parent.screen === "help" ? words.help : parent.title}</a>
    </nav>
  );
}
