/** The subset of the DOM that this reader uses. */
export interface Dom {
  nodeType: number;
  tagName?: string;
  textContent: string | null;
  childNodes: Iterable<Dom>;
  getAttribute?(name: string): string | null;
  querySelector?(selector: string): Dom | null;
  remove?(): void;
}

const ELEMENT = 1;

export const getTag = (node: Dom) => (node.nodeType === ELEMENT ? (node.tagName ?? "").toLowerCase() : "");
export const readAttribute = (node: Dom, name: string) => node.getAttribute?.(name) ?? "";

/**
 * Checks only the children, because searching all descendants of each item of nested lists would take quadratic time.
 */
export const findCheckbox = (item: Dom): Dom | undefined =>
  [...item.childNodes].find(
    (child) =>
      (getTag(child) === "input" && readAttribute(child, "type").toLowerCase() === "checkbox") ||
      (child.nodeType === ELEMENT && readAttribute(child, "class").split(/\s+/).includes("checkbox")),
  );

const ROW_GROUPS = new Set(["thead", "tbody", "tfoot"]);

/** A table's own rows; a table in a cell is text of that cell. */
export const listRows = (table: Dom): Dom[] =>
  [...table.childNodes]
    .flatMap((part) => (ROW_GROUPS.has(getTag(part)) ? [...part.childNodes] : [part]))
    .filter((part) => getTag(part) === "tr");
