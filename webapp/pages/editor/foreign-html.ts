import { markPictures } from "./pasted-pictures.ts";

/** Word writes a list as paragraphs that carry their level and their own bullet. */
const WORD_LEVEL = /mso-list:[^;"]*\blevel(\d)/i;
const WORD_NUMBER = /^[\s(]*(?:\d+|[a-z]|[ivxlc]+)[.)]/i;

function readWordItem(line: HTMLElement): { depth: number; tag: "ol" | "ul" } | undefined {
  const level = WORD_LEVEL.exec(line.getAttribute("style") ?? "")?.[1];
  if (level === undefined) return undefined;
  let mark = "";
  for (const span of line.querySelectorAll<HTMLElement>("span")) {
    if (!/mso-list:\s*ignore/i.test(span.getAttribute("style") ?? "")) continue;
    mark += span.textContent;
    span.remove();
  }
  return { depth: Number(level), tag: WORD_NUMBER.test(mark) ? "ol" : "ul" };
}

/** Each item as a list of its own depth: the page's blocks are flat and know their indent. */
function rewriteWordLists(body: HTMLElement): void {
  for (const line of body.querySelectorAll<HTMLElement>("p[style*='mso-list'], h1[style*='mso-list']")) {
    const item = readWordItem(line);
    if (!item) continue;
    const at = document.createElement("li");
    at.append(...line.childNodes);
    let outer: HTMLElement = at;
    for (let i = 0; i < item.depth; i += 1) {
      const list = document.createElement(item.tag);
      list.append(outer);
      outer = list;
    }
    line.replaceWith(outer);
  }
}

/** A row is a line, its cells parted as a text of them would be. */
function rewriteTables(body: HTMLElement): void {
  for (const table of body.querySelectorAll("table")) {
    const rows = [...table.querySelectorAll("tr")].map((row) => {
      const line = document.createElement("p");
      for (const cell of row.querySelectorAll("td, th")) {
        const text = cell.textContent.trim().replaceAll(/\s+/g, " ");
        if (text !== "") line.append(line.hasChildNodes() ? ` | ${text}` : text);
      }
      return line;
    });
    table.replaceWith(...rows.filter((row) => row.hasChildNodes()));
  }
}

/** What other programs copy, brought into the shape that the page's own rules read; nothing of it runs or is fetched. */
export function tidyForeignHtml(html: string): string {
  if (html.includes("data-pm-slice") || !/<table|mso-list|<img/i.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  rewriteWordLists(body);
  markPictures(body);
  rewriteTables(body);
  return body.innerHTML;
}
