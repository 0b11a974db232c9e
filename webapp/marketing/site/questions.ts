import { toText } from "./markdown-pages.ts";
import type { SitePage } from "./pages.ts";

export interface HelpQuestion {
  /** The heading on the page of questions. */
  path: string;
  title: string;
  /** The answer, as HTML and as text. */
  html: string;
  text: string;
}

const QUESTION = /<h2 id="([^"]*)">(.*?)<\/h2>([\s\S]*?)(?=<h2|$)/g;

/** The questions of `/faq`, which the help lists and finds too: each heading, with the text below it as the answer. */
export const listQuestions = (pages: readonly SitePage[]): HelpQuestion[] =>
  pages
    .filter(({ screen }) => screen === "faq")
    .flatMap(({ path, html }) =>
      Array.from(html.matchAll(QUESTION), ([, id = "", title = "", answer = ""]) => ({
        path: `${path}#${id}`,
        title: toText(title),
        html: answer.trim(),
        text: toText(answer),
      })),
    );

/** What the search of the help finds: its articles, and the questions with the first sentence of their answers. */
export const listSearchable = (pages: readonly SitePage[]) => [
  ...pages
    .filter(({ screen }) => screen === "helpArticle")
    .map(({ path, title, text, description }) => ({ path, title, about: description, text })),
  ...listQuestions(pages).map(({ path, title, text }) => ({
    path,
    title,
    about: /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text,
    text,
  })),
];
