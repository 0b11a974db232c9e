import { screenPath } from "#shared/screens.ts";
import { PricingBody } from "../pricing/pricing-body.tsx";
import { formatDay } from "./changelog.ts";
import { Landing } from "./landing.tsx";
import { HelpIndex } from "./help-index.tsx";
import { siteWords, topicName, topicPath, type BodyProps, type SitePage } from "./pages.ts";
import { ToolBody } from "./tool-body.tsx";
import { Trail } from "./trail.tsx";

/** What stands between header and footer. */
export function Body({ page, all }: BodyProps) {
  if (page.screen === "landing") return <Landing page={page} />;
  if (page.screen === "pricing") return <PricingBody language={page.language} />;
  if (page.screen === "help") return <HelpIndex page={page} all={all} />;
  if (page.screen.startsWith("tool") && page.screen !== "tools" && page.screen !== "topic")
    return <ToolBody page={page} all={all} />;
  return <Article page={page} all={all} />;
}

function Article({ page, all }: BodyProps) {
  const words = siteWords[page.language];
  const isLegal = page.path.startsWith("/docs/");
  return (
    <article className="site-article">
      <Trail page={page} all={all} />
      <h1>{page.title}</h1>
      {page.screen !== "topic" && <p className="site-lead">{page.description}</p>}
      {page.date !== undefined && (
        <p className="post-date">
          {page.screen === "blogPost" ? "" : `${words.updated} `}
          <time dateTime={page.date}>{formatDay(page.date, page.language)}</time>
          {page.screen === "blogPost" && page.topic !== undefined && (
            <>
              {" · "}
              <a href={topicPath(page.topic)}>{topicName(page.topic)}</a>
            </>
          )}
        </p>
      )}
      {isLegal && (
        <div
          dangerouslySetInnerHTML={{
            __html: `<!--unless OPERATOR_NAME--><p class="site-template" role="note">${words.template}</p><!--/unless-->`,
          }}
        />
      )}
      <div className="site-text" dangerouslySetInnerHTML={{ __html: page.html }} />
      {(page.screen === "blog" || page.screen === "topic") && <Posts page={page} all={all} />}
      {page.screen === "helpArticle" && <HelpRating page={page} />}
      <Related page={page} all={all} />
      {!isLegal && <Ending page={page} />}
    </article>
  );
}

/** Its script shows it and counts the answer. */
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

function Posts({ page, all }: BodyProps) {
  const words = siteWords[page.language];
  const posts = all
    .filter((one) => one.screen === "blogPost" && (page.screen === "blog" || one.topic === page.topic))
    .toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
  return (
    <>
      <ul role="list" className="site-posts">
        {posts.map((post) => (
          <li key={post.path}>
            <h2>
              <a href={post.path}>{post.title}</a>
            </h2>
            <p>{post.description}</p>
            <p className="post-date">
              <time dateTime={post.date}>{formatDay(post.date ?? "", page.language)}</time>
            </p>
          </li>
        ))}
      </ul>
      <p className="site-more">
        {page.screen === "topic" && <a href={screenPath("blog", {})}>{words.all_posts}</a>}{" "}
        <a href={`/blog/feed.xml?lang=${page.language}`}>{words.feed}</a>
      </p>
    </>
  );
}

const MAX_RELATED = 4;

/** Neighbours: articles of the same topic, posts of the same topic, pages of the same folder. */
function Related({ page, all }: BodyProps) {
  const words = siteWords[page.language];
  if (!["helpArticle", "blogPost"].includes(page.screen)) return null;
  const others = all.filter((one) => one.screen === page.screen && one.path !== page.path);
  const shown = [
    ...others.filter(({ topic }) => topic === page.topic),
    ...(page.screen === "blogPost" ? others.filter(({ topic }) => topic !== page.topic) : []),
  ].slice(0, MAX_RELATED);
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

export function Ending({ page }: { page: SitePage }) {
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
        </a>{" "}
        <a href={screenPath("toolAiFlashcards", {})}>{words.try_tool}</a>
      </p>
    </aside>
  );
}
