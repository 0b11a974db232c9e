import { screenPath } from "#shared/screens.ts";
import { listQuestions } from "./questions.ts";
import { siteWords, type PageContentProps, type SitePage } from "./pages.ts";

/** The topics, in the order in which students usually need them. */
const TOPICS = [
  "start",
  "notes",
  "documents",
  "cards",
  "study",
  "tutor",
  "research",
  "make",
  "extension",
  "sharing",
  "account",
];
const rankOf = ({ path }: SitePage) => TOPICS.indexOf(path.split("/")[2] ?? "");

/** All articles by topic, below a search field whose script searches in the page. */
export function HelpIndex({ page, pages }: PageContentProps) {
  const words = siteWords[page.language];
  const articles = pages.filter(({ screen }) => screen === "helpArticle");
  const topics = [...new Set(articles.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ topic = "" }) => topic))];
  return (
    <article className="site-help">
      <h1>{page.title}</h1>
      <form
        role="search"
        className="help-search"
        id="help-search"
        data-none={words.search_none}
        data-count={words.search_count}
        data-failed={words.search_failed}
      >
        <label className="visually-hidden" htmlFor="help-query">
          {words.search}
        </label>
        <input
          id="help-query"
          type="search"
          name="q"
          autoComplete="off"
          placeholder={words.search_placeholder}
          data-index={`/help/search.json?lang=${page.language}`}
        />
      </form>
      <p id="help-status" role="status" className="help-status" />
      <ul role="list" id="help-found" className="help-found" hidden />
      <div className="site-text" dangerouslySetInnerHTML={{ __html: page.html }} />
      <div className="help-topics" id="help-topics">
        {topics.map((topic) => (
          <section key={topic}>
            <h2>{topic}</h2>
            <ul role="list">
              {articles
                .filter((article) => article.topic === topic)
                .map(({ path, title, description }) => (
                  <li key={path}>
                    <a href={path}>{title}</a>
                    <p>{description}</p>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <Questions page={page} pages={pages} />
      </div>
    </article>
  );
}

/** The questions of the FAQ, which have a page of their own. */
const Questions = ({ page, pages }: PageContentProps) => (
  <section>
    <h2>
      <a href={screenPath("faq", {})}>{siteWords[page.language].faq}</a>
    </h2>
    <ul role="list">
      {listQuestions(pages).map(({ path, title }) => (
        <li key={path}>
          <a href={path}>{title}</a>
        </li>
      ))}
    </ul>
  </section>
);
