import { rewriteTables } from "./foreign-tables.ts";
import { rewriteTodos } from "./foreign-todos.ts";
import { insertPictureMarkers } from "./pasted-pictures.ts";

/** Word writes list items as paragraphs with a level and a literal bullet. */
const WORD_LEVEL = /mso-list:[^;"]*\blevel(\d)/i;
const WORD_NUMBER = /^[\s(]*(?:\d+|[a-z]|[ivxlc]+)[.)]/i;

function readWordItem(line: HTMLElement): { depth: number; tag: "ol" | "ul" } | undefined {
  const level = WORD_LEVEL.exec(line.getAttribute("style") ?? "")?.[1];
  if (level === undefined) return undefined;
  let bullet = "";
  for (const span of line.querySelectorAll<HTMLElement>("span")) {
    if (!/mso-list:\s*ignore/i.test(span.getAttribute("style") ?? "")) continue;
    bullet += span.textContent;
    span.remove();
  }
  return { depth: Number(level), tag: WORD_NUMBER.test(bullet) ? "ol" : "ul" };
}

/** Wraps each item in lists of its own depth, because the page's blocks are flat with an indent. */
function rewriteWordLists(body: HTMLElement): void {
  for (const line of body.querySelectorAll<HTMLElement>("p[style*='mso-list'], h1[style*='mso-list']")) {
    const item = readWordItem(line);
    if (!item) continue;
    const listItem = document.createElement("li");
    listItem.append(...line.childNodes);
    let outer: HTMLElement = listItem;
    for (let i = 0; i < item.depth; i += 1) {
      const list = document.createElement(item.tag);
      list.append(outer);
      outer = list;
    }
    line.replaceWith(outer);
  }
}

/** KaTeX and MathJax write a formula twice; only its LaTeX source is used. */
function rewriteFormulas(body: HTMLElement): void {
  for (const annotation of body.querySelectorAll("annotation[encoding='application/x-tex']")) {
    const formula = annotation.closest(".katex, mjx-container, math") ?? annotation;
    const latex = annotation.textContent.trim().replaceAll(/\s+/g, " ");
    const element = document.createElement("span");
    element.dataset["latex"] = latex;
    element.textContent = latex;
    (formula.closest(".katex") ?? formula).replaceWith(element);
  }
}

/** Matches HTML that must be rewritten before it is parsed. */
const FOREIGN = /<table|mso-list|<img|checkbox|\[[ x]\]|[☐☑☒]|application\/x-tex/i;

/** Normalises HTML from other programs for the page's parse rules; nothing in it is executed or fetched. */
export function cleanForeignHtml(html: string): string {
  if (html.includes("data-pm-slice") || !FOREIGN.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  rewriteWordLists(body);
  rewriteFormulas(body);
  rewriteTodos(body);
  insertPictureMarkers(body);
  rewriteTables(body);
  return body.innerHTML;
}
