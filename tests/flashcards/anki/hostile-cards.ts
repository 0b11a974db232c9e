import type { Page } from "puppeteer";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { aCard } from "#tests/store/changes.ts";
import { aZip } from "#tests/library/made-notes.ts";
import { aCollection, aNote, aPackage } from "./made-anki.ts";

/** A host that no card may contact. */
export const CANARY = "canary.example.org";
const canaryUrl = (path: string) => `http://${CANARY}/${path}`;
const RUN = "globalThis.escaped = true";

/** Hostile card sides, each with a word that shows that its harmless part was rendered. */
const sides: readonly string[] = [
  `script <script>${RUN}</script><script src="${canaryUrl("script.js")}"></script>`,
  `handler <img src="${canaryUrl("image.png")}" onerror="${RUN}"><b onmouseover="${RUN}" onfocus="${RUN}" tabindex=0 autofocus>b</b>`,
  `frame <iframe src="${canaryUrl("frame")}" srcdoc="<script>top.escaped = true</script>"></iframe><embed src="${canaryUrl("embed")}"><object data="${canaryUrl("object")}"></object>`,
  `style <style>@import url(${canaryUrl("import.css")}); * { background: url(${canaryUrl("background.png")}) }</style><p style="background: url(${canaryUrl("inline.png")})">p</p><link rel="stylesheet" href="${canaryUrl("link.css")}">`,
  `vector <svg onload="${RUN}"><image href="${canaryUrl("vector.png")}"/><a href="javascript:${RUN}"><text>t</text></a></svg>`,
  `markdown ![picture](${canaryUrl("markdown.png")}) [link](javascript:${RUN}) ![](javascript:${RUN}) ![](data:text/html,<script>${RUN}</script>)`,
  `formula $\\href{javascript:${RUN}}{x}$ $\\includegraphics{${canaryUrl("formula.png")}}$ $\\htmlStyle{background: url(${canaryUrl("html.png")})}{y}$`,
  `form <form action="${canaryUrl("form")}"><button autofocus formaction="javascript:${RUN}">go</button></form><meta http-equiv="refresh" content="0; url=${canaryUrl("refresh")}"><base href="${canaryUrl("")}">`,
];

/** The sides as cards that another client could send, with external pictures on both sides. */
export const hostileCards: readonly Flashcard[] = sides.map((side, n) => ({
  ...aCard(`hostile-${n}`, side),
  answer: side,
  questionImage: canaryUrl("question.png"),
  answerImage: canaryUrl("answer.png"),
}));

/** The sides as notes of an Anki package whose templates are hostile too. */
export function aHostilePackage(): Uint8Array {
  const template = {
    question: `<style>@import url(${canaryUrl("template.css")})</style>{{Front}}<script>${RUN}</script><iframe src="${canaryUrl("template")}"></iframe>`,
    answer: `{{FrontSide}}<hr id=answer>{{Back}}<img src=x onerror="${RUN}"><svg onload="${RUN}">`,
  };
  return aPackage(aCollection({ notes: sides.map((side) => aNote({ fields: [side, side] })), template }));
}

/** The sides as an archive of notes: one web page and one Markdown file for each. */
export const hostileNotes = (): Uint8Array =>
  aZip(
    Object.fromEntries(
      sides.flatMap((side, n) => [
        [`web/${n}.html`, `<html><head><title>Web ${n}</title></head><body><p>${side}</p></body></html>`],
        [`text/${n}.md`, `# Text ${n}\n\n${side}\n`],
      ]),
    ),
  );

/** The first word of each side, which is shown if its harmless part is. */
export const hostileWords: readonly string[] = sides.map((side) => side.split(" ", 1)[0] ?? "");

/** Runs in the browser: hostile elements and attributes that are in the document. */
function findRemains(canary: string, mayLink: boolean): string[] {
  const isHostile = (value: string) => value.includes(canary) || /^\s*javascript:/i.test(value);
  const isAllowed = (tag: string, name: string, value: string) =>
    mayLink && tag === "A" && name === "href" && /^https?:/.test(value);
  const addresses = ["src", "href", "action", "formaction", "data", "style", "xlink:href"];
  const found = "escaped" in globalThis ? ["a script ran"] : [];
  for (const { tagName, outerHTML, attributes } of document.querySelectorAll("body *")) {
    if (["SCRIPT", "IFRAME", "EMBED", "OBJECT", "BASE", "LINK", "STYLE"].includes(tagName))
      if (outerHTML.includes(canary) || outerHTML.includes("escaped")) found.push(tagName);
    for (const { name, value } of attributes) {
      const isLoaded = addresses.includes(name) && isHostile(value) && !isAllowed(tagName, name, value);
      if (name.startsWith("on") || isLoaded) found.push(`${tagName} ${name}`);
    }
  }
  return found;
}

/**
 * Watches a page for effects of hostile cards or notes: requests, dialogs, scripts, and elements that should not be there.
 * Notes may link to another site, because nothing is requested before the link is clicked.
 */
export function watchHostile(page: Page, { mayLink = false } = {}): () => Promise<string[]> {
  const found: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(CANARY)) found.push(`request of ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    found.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return async () => [...found, ...(await page.evaluate(findRemains, CANARY, mayLink))];
}
