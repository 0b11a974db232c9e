const TODO_MARKER = /^\s*(?:\[([ xX])\]|([☐☑☒✓✅]))\s*/u;

function createBox(isChecked: boolean): HTMLInputElement {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.toggleAttribute("checked", isChecked);
  return box;
}

/** The first text node of an element that is not blank. */
function findFirstText(element: Element): Text | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if ((node.textContent ?? "").trim() !== "") return node as Text;
  return undefined;
}

/** Removes the marker of a to-do and returns whether it is checked; undefined if the element is not a to-do. */
function extractTodoState(item: HTMLElement): boolean | undefined {
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
  const text = findFirstText(item);
  const [marker, letter, symbol] = TODO_MARKER.exec(text?.data ?? "") ?? [];
  if (!text || marker === undefined) return undefined;
  text.data = text.data.slice(marker.length);
  return letter === undefined ? symbol !== "☐" : letter !== " ";
}

/**
 * Notion, Google Docs, Word and GitHub write to-dos as classes, roles, symbols or `[x]`. Gives each of them the
 * checkbox that `readListItem` parses.
 */
export function rewriteTodos(body: HTMLElement): void {
  for (const item of body.querySelectorAll<HTMLElement>("li")) {
    const isChecked = extractTodoState(item);
    if (isChecked !== undefined) item.prepend(createBox(isChecked));
  }
  for (const line of body.querySelectorAll<HTMLElement>("p")) {
    if (line.closest("li, table") || !/^\s*[☐☑☒]/u.test(line.textContent)) continue;
    const isChecked = extractTodoState(line) ?? false;
    const item = document.createElement("li");
    item.append(createBox(isChecked), ...line.childNodes);
    const list = document.createElement("ul");
    list.append(item);
    line.replaceWith(list);
  }
}
