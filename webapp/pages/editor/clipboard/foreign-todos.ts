const MARK = /^\s*(?:\[([ xX])\]|([☐☑☒✓✅]))\s*/u;

function createBox(isChecked: boolean): HTMLInputElement {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.toggleAttribute("checked", isChecked);
  return box;
}

/** The first text of an element, before any other content. */
function firstText(element: Element): Text | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node.textContent ?? "").trim() !== "") return node as Text;
  return undefined;
}

/** A to-do's state as the program wrote it; undefined if the element is not a to-do. */
function readState(item: HTMLElement): boolean | undefined {
  if (item.getAttribute("role") === "checkbox") return item.getAttribute("aria-checked") === "true";
  const box = item.querySelector(":scope > .checkbox, :scope > * > .checkbox");
  if (box?.closest(item.tagName) === item) {
    box.remove();
    return box.classList.contains("checkbox-on");
  }
  const input = item.querySelector("input[type=checkbox]");
  if (input?.closest(item.tagName) === item) {
    input.remove();
    return input.hasAttribute("checked");
  }
  const text = firstText(item);
  const [mark, letter, symbol] = MARK.exec(text?.data ?? "") ?? [];
  if (!text || mark === undefined) return undefined;
  text.data = text.data.slice(mark.length);
  return letter === undefined ? symbol !== "☐" : letter !== " ";
}

/**
 * Gives the to-dos of Notion, Google Docs, Word and GitHub the box that a page's list is parsed with: they write them as
 * classes, roles, symbols, or `[x]`.
 */
export function rewriteTodos(body: HTMLElement): void {
  for (const item of body.querySelectorAll<HTMLElement>("li")) {
    const isChecked = readState(item);
    if (isChecked !== undefined) item.prepend(createBox(isChecked));
  }
  for (const line of body.querySelectorAll<HTMLElement>("p")) {
    if (line.closest("li, table") || !/^\s*[☐☑☒]/u.test(line.textContent)) continue;
    const isChecked = readState(line) ?? false;
    const item = document.createElement("li");
    item.append(createBox(isChecked), ...line.childNodes);
    const list = document.createElement("ul");
    list.append(item);
    line.replaceWith(list);
  }
}

/** KaTeX and MathJax write a formula twice; its source is kept. */
export function rewriteFormulas(body: HTMLElement): void {
  for (const annotation of body.querySelectorAll("annotation[encoding='application/x-tex']")) {
    const formula = annotation.closest(".katex, mjx-container, math") ?? annotation;
    const latex = annotation.textContent.trim().replaceAll(/\s+/g, " ");
    const element = document.createElement("span");
    element.dataset["latex"] = latex;
    element.textContent = latex;
    (formula.closest(".katex") ?? formula).replaceWith(element);
  }
}
