import { siteWords, type BodyProps, type SitePage } from "./pages.ts";

const parents: Partial<Record<SitePage["screen"], string>> = {
  helpArticle: "/help",
  blogPost: "/blog",
  topic: "/blog",
};

/** The page above this one, for the trail of links and for search engines. */
export function parentOf({ page, all }: BodyProps): SitePage | undefined {
  const path = parents[page.screen] ?? page.path.replace(/\/[^/]+$/, "");
  return path === page.path ? undefined : all.find((one) => one.path === path);
}

export function Trail({ page, all }: BodyProps) {
  const parent = parentOf({ page, all });
  const words = siteWords[page.language];
  if (!parent) return null;
  return (
    <nav className="site-trail" aria-label={words.breadcrumb}>
      <a href={parent.path}>{parent.screen === "help" ? words.help : parent.title}</a>
    </nav>
  );
}
