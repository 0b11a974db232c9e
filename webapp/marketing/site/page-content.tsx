import { formatDay } from "#shared/marketing/format-day.ts";
import { screenPath } from "#shared/screens.ts";
import { PricingBody } from "../pricing/pricing-body.tsx";
import { Landing } from "./landing.tsx";
import { HelpIndex } from "./help-index.tsx";
import { siteWords, type PageContentProps, type SitePage } from "./pages.ts";
import { ToolBody } from "./tool-body.tsx";
import { SiteBreadcrumb } from "./site-breadcrumb.tsx";

// The server replaces comments such as `<!--html:POSTS-->` (`api/marketing/blog-pages.ts`), and includes or removes the text
// in `<!--if NAME-->` and `<!--unless NAME-->` (`api/http/site/fill-page.ts`).

/** The content of a page, between header and footer. */
export function PageContent({ page, pages }: PageContentProps) {
  if (page.screen === "landing") return <Landing page={page} />;
  if (page.screen === "pricing") return <PricingBody language={page.language} />;
  if (page.screen === "help") return <HelpIndex page={page} pages={pages} />;
  if (page.screen.startsWith("tool") && page.screen !== "tools") return <ToolBody page={page} pages={pages} />;
  return <Article page={page} pages={pages} />;
}

/** The lists of features and tools are boxes that lead to their pages. */
const textClass = ({ screen }: SitePage) =>
  screen === "features" || screen === "tools" ? "site-text site-index" : "site-text";

function Article({ page, pages }: PageContentProps) {
  const words = siteWords[page.language];
  // Terms, privacy and imprint have addresses under /docs/.
  const isLegal = page.path.startsWith("/docs/");
  return (
    <article className="site-article">
      <SiteBreadcrumb page={page} pages={pages} />
      <h1>{page.title}</h1>
      {page.screen !== "topic" && <p className="site-lead">{page.description}</p>}
      {page.screen === "blogPost" && (
        <p className="post-date" dangerouslySetInnerHTML={{ __html: "<!--html:BYLINE-->" }} />
      )}
      {page.date !== undefined && page.screen !== "blogPost" && (
        <p className="post-date">
          {words.updated} <time dateTime={page.date}>{formatDay(page.date, page.language)}</time>
        </p>
      )}
      {isLegal && (
        <div
          dangerouslySetInnerHTML={{
            __html: `<!--unless OPERATOR_NAME--><p class="site-template" role="note">${words.template_warning}</p><!--/unless-->`,
          }}
        />
      )}
      <div className={textClass(page)} dangerouslySetInnerHTML={{ __html: page.html }} />
      {(page.screen === "blog" || page.screen === "topic") && <Posts page={page} />}
      {page.screen === "blogPost" && <RelatedPosts page={page} />}
      {page.screen === "helpArticle" && <HelpRating page={page} />}
      <RelatedHelpArticles page={page} pages={pages} />
      {!isLegal && <SignUpInvitation page={page} />}
    </article>
  );
}

/** Asks whether the article helped. Hidden until its script, which sends the answer, has loaded. */
function HelpRating({ page }: { page: SitePage }) {
  const words = siteWords[page.language];
  return (
    <form
      id="help-rating"
      className="help-rating"
      data-path={page.path}
      data-thanks={words.rating_thanks}
      data-failed={words.rating_failed}
      hidden
    >
      <p id="help-rating-question">{words.rating_question}</p>
      <div className="help-rating-answers" role="group" aria-labelledby="help-rating-question">
        <button type="submit" className="button button-secondary" value="yes">
          {words.rating_yes}
        </button>
        <button type="submit" className="button button-secondary" value="no">
          {words.rating_no}
        </button>
      </div>
      <p role="status" />
    </form>
  );
}

/** A list that the server fills with the posts of the blog or of the topic. */
function Posts({ page }: { page: SitePage }) {
  const words = siteWords[page.language];
  return (
    <>
      <ul role="list" className="site-posts" dangerouslySetInnerHTML={{ __html: "<!--html:POSTS-->" }} />
      <p className="site-more">
        {page.screen === "topic" && <a href={screenPath("blog", {})}>{words.all_posts}</a>}{" "}
        <a href={`/blog/feed.xml?lang=${page.language}`}>{words.feed}</a>
      </p>
    </>
  );
}

/** A list that the server fills with related posts, or removes if there are none. */
function RelatedPosts({ page }: { page: SitePage }) {
  const heading = `<h2 id="related">${siteWords[page.language].related}</h2>`;
  const nav = `<nav class="site-related" aria-labelledby="related">${heading}<ul role="list"><!--html:RELATED--></ul></nav>`;
  return <div dangerouslySetInnerHTML={{ __html: `<!--if RELATED-->${nav}<!--/if-->` }} />;
}

const MAX_RELATED = 4;

/** Other articles of the same topic: those after this article, then those before it. */
function RelatedHelpArticles({ page, pages }: PageContentProps) {
  const words = siteWords[page.language];
  if (page.screen !== "helpArticle") return null;
  const articles = pages.filter(({ screen, topic }) => screen === page.screen && topic === page.topic);
  const index = articles.findIndex(({ path }) => path === page.path);
  const shown = [...articles.slice(index + 1), ...articles.slice(0, index)].slice(0, MAX_RELATED);
  if (shown.length === 0) return null;
  return (
    <nav className="site-related" aria-labelledby="related">
      <h2 id="related">{words.related}</h2>
      <ul role="list">
        {shown.map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function SignUpInvitation({ page }: { page: SitePage }) {
  const words = siteWords[page.language];
  return (
    <aside className="site-ending for-guests">
      <div>
        <h2>{words.end_title}</h2>
        <p>{words.end_text}</p>
      </div>
      <p>
        <a className="button button-primary button-l" href={screenPath("register", {})}>
          {words.start}
        </a>
        <a href={screenPath("toolAiFlashcards", {})}>{words.try_tool}</a>
      </p>
    </aside>
  );
}
