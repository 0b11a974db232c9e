const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes a text safe inside HTML, XML and their attributes. */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? "");
