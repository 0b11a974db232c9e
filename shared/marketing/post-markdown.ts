import { Marked } from "marked";
import { lexText } from "#shared/pages/bounded-lexer.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeMarkup = (text: string) => text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? "");

/** `/\` is read as `//` by browsers, which would leave this server. */
const OWN_ADDRESS = /^\/(?![/\\])/;
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i;

/** The id of a heading, from its HTML, so that a section can be linked to. */
export const toHeadingId = (html: string): string =>
  html
    .toLowerCase()
    .replaceAll(/<[^>]+>|&#?\w+;/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");

const posts = new Marked({
  renderer: {
    // HTML in a post is shown as it is written.
    html: ({ text }) => escapeMarkup(text),
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      // The first level is the title of the page.
      const level = Math.max(2, depth);
      return `<h${level} id="${toHeadingId(inner)}">${inner}</h${level}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      if (!SAFE_ADDRESS.test(href)) return inner;
      return `<a href="${escapeMarkup(href)}"${OWN_ADDRESS.test(href) ? "" : ' rel="noopener"'}>${inner}</a>`;
    },
    image: ({ href, text }) =>
      // A picture from elsewhere would show that server who reads the post.
      OWN_ADDRESS.test(href)
        ? `<img src="${escapeMarkup(href)}" alt="${escapeMarkup(text)}" loading="lazy">`
        : escapeMarkup(text),
  },
});

/** The HTML of a post: only what Markdown itself can express, without scripts and external pictures. */
export const renderPost = (markdown: string): string => posts.parser(lexText(posts, markdown));
