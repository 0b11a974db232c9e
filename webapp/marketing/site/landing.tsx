import { screenPath } from "#shared/screens.ts";
import { siteWords, type SitePage, type SiteWords } from "./pages.ts";

/** The landing page: an example of a card with its passage, then the text of `content/<language>/landing.md`. */
export function Landing({ page }: { page: SitePage }) {
  const words = siteWords[page.language];
  const [first = "", ...rest] = page.title.split(/(?<=\.) /);
  return (
    <>
      <section className="hero">
        <div>
          <h1>
            <span>{first}</span> <span>{rest.join(" ")}</span>
          </h1>
          <p>{page.description}</p>
          <p className="hero-actions">
            <a className="button button-primary button-l" href={screenPath("register", {})}>
              {words.start}
            </a>
            <a className="button button-secondary button-l" href={screenPath("toolAiFlashcards", {})}>
              {words.try_tool}
            </a>
          </p>
        </div>
        <Example words={words} />
      </section>
      <div className="landing-text" dangerouslySetInnerHTML={{ __html: page.html }} />
      <section className="landing-end">
        <h2>{words.end_title}</h2>
        <a className="button button-primary button-l" href={screenPath("register", {})}>
          {words.start}
        </a>
      </section>
    </>
  );
}

/** A passage and a card that cites it. The style sheet animates the highlight once, unless motion is reduced. */
function Example({ words }: { words: SiteWords }) {
  return (
    <figure className="hero-example" aria-label={words.example}>
      <p>
        {words.example_before} <span className="lit hero-lit">{words.example_lit}</span> {words.example_after}
      </p>
      <div className="hero-card">
        <p>{words.example_question}</p>
        <p>
          {words.example_answer} <span className="hero-place">{words.example_place}</span>
        </p>
      </div>
    </figure>
  );
}
