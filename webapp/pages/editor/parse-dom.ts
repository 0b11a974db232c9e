import { ComponentType, TextHighlightColor, TextSubType } from "#shared/pages/schema.ts";

const subTypeOfTag: Record<string, TextSubType> = {
  H1: "heading_1",
  H2: "heading_2",
  H3: "heading_3",
  BLOCKQUOTE: "block_quote",
};

function listAttributes(item: Element) {
  let depth = -1;
  for (let ancestor = item.parentElement; ancestor; ancestor = ancestor.parentElement)
    if (/^(UL|OL)$/.test(ancestor.tagName)) depth += 1;
  const box = item.querySelector(":scope > input[type=checkbox]");
  const kind = item.parentElement?.tagName === "OL" ? "list_ordered" : "list_unordered";
  const checkbox = box?.hasAttribute("checked") ? "list_checkbox_checked" : "list_checkbox_unchecked";
  return { subType: box ? checkbox : kind, indents: Math.min(20, Math.max(0, depth)) };
}

const containsBlocks = (item: Element) =>
  item.querySelector(":scope > p, :scope > div, :scope > h1, :scope > h2") !== null;

/** A list item whose text is in a child paragraph is parsed at that paragraph. */
export const readListItem = (item: HTMLElement) => (containsBlocks(item) ? false : listAttributes(item));

/** Blocks copied from Lamplight carry their attributes. */
function readLamplightText(element: HTMLElement, subType: TextSubType) {
  const highlight = TextHighlightColor.safeParse(element.dataset["highlight"]);
  const indents = Math.min(20, Number(element.dataset["indents"] ?? 0) || 0);
  return { subType, indents, highlightColor: highlight.success ? highlight.data : null };
}

/** Foreign blocks are recognised by their tag and parent. */
export function readTextBlock(element: HTMLElement) {
  const ownSubType = TextSubType.safeParse(element.dataset["subType"]);
  if (ownSubType.success) return readLamplightText(element, ownSubType.data);
  const parent = element.parentElement;
  if (parent?.tagName === "LI" && element.matches(":first-of-type")) return listAttributes(parent);
  if (element.tagName === "BLOCKQUOTE" && containsBlocks(element)) return false;
  const isInQuote = parent?.tagName === "BLOCKQUOTE";
  return { subType: subTypeOfTag[element.tagName] ?? (isInQuote ? "block_quote" : "normal") };
}

/** Code with its language, if a `language-…` class names one. */
function readCode(element: HTMLElement) {
  const names = `${element.className} ${element.firstElementChild?.className ?? ""}`;
  const language = /(?:^|\s)lang(?:uage)?-([\w+#-]{1,40})/.exec(names)?.[1] ?? "";
  return { code: element.textContent, language };
}

export function readComponentBlock(element: HTMLElement) {
  if (element.tagName === "HR") return { type: "divider", content: {} };
  if (element.tagName === "PRE") return { type: "code_block", content: readCode(element) };
  const type = ComponentType.safeParse(element.dataset["component"]);
  if (!type.success) return false;
  try {
    const content: unknown = JSON.parse(element.dataset["content"] ?? "{}");
    if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
    return { id: element.dataset["id"] ?? null, type: type.data, content };
  } catch {
    return false;
  }
}
