import type { DevServerStatus, SectionKind, SiteDocument, SiteEdit, SiteKind, SiteSection } from "./schema.ts";

export const SITE_LIMITS = {
  projects: 50,
  threads: 100,
  files: 200,
  fileBytes: 512 * 1024,
  totalBytes: 5 * 1024 * 1024,
  checkpoints: 200,
  sections: 40,
  /** Nested brackets: 5,000 crash the bundler's process, 500 do not. */
  nesting: 300,
  buildMs: 10_000,
} as const;

/** The status that a screen shows for what the server reports. */
export function toDevServerStatus(update: string): DevServerStatus {
  if (update === "starting") return "starting";
  return update === "stopped" || update === "error" ? "offline" : "online";
}

const SEGMENT = /^[\w@+-][\w.@+-]*$/;
const EXTENSIONS = /\.(?:tsx?|jsx?|css|json|svg|txt|md)$/;

/** Whether a path names a file of a site: absolute, without "..", "." or hidden names, with a known extension. */
export function isSitePath(path: string): boolean {
  if (!path.startsWith("/") || path.length > 200 || !EXTENSIONS.test(path)) return false;
  const segments = path.slice(1).split("/");
  return segments.length <= 8 && segments.every((segment) => SEGMENT.test(segment));
}

/** The sections of each kind of site, in order. */
export const sectionsOfKind: Readonly<Record<SiteKind, readonly SectionKind[]>> = {
  study_guide: ["summary", "glossary", "flashcards", "quiz", "sources"],
  practice: ["flashcards", "quiz", "sources"],
  glossary: ["glossary", "sources"],
  timeline: ["timeline", "summary", "sources"],
  portfolio: ["pages", "sources"],
};

function changeSection(
  document: SiteDocument,
  sectionId: string,
  change: (section: SiteSection) => SiteSection | undefined,
): SiteDocument {
  const sections = document.sections.flatMap((section) =>
    section.id === sectionId ? (change(section) ?? []) : section,
  );
  return { ...document, sections };
}

function moveSection(document: SiteDocument, sectionId: string, by: -1 | 1): SiteDocument {
  const from = document.sections.findIndex(({ id }) => id === sectionId);
  const moved = document.sections[from];
  const other = document.sections[from + by];
  if (!moved || !other) return document;
  const sections = document.sections.with(from, other).with(from + by, moved);
  return { ...document, sections };
}

/** Applies one change; an edit of what no longer exists changes nothing. */
export function applySiteEdit(document: SiteDocument, edit: SiteEdit): SiteDocument {
  switch (edit.type) {
    case "set_title":
      return { ...document, title: edit.title, subtitle: edit.subtitle };
    case "set_theme":
      return { ...document, theme: edit.theme };
    case "rename_section":
      return changeSection(document, edit.sectionId, (section) => ({ ...section, title: edit.title }));
    case "move_section":
      return moveSection(document, edit.sectionId, edit.by);
    case "remove_section":
      return changeSection(document, edit.sectionId, () => undefined);
    case "remove_item":
      return changeSection(document, edit.sectionId, (section) => ({
        ...section,
        items: section.items.filter(({ id }) => id !== edit.itemId),
      }));
    default:
      return edit satisfies never;
  }
}

const OPENING = new Set("([{<");
const CLOSING = new Set(")]}>");
/**
 * "n < 5" and "a <= b" compare; a tag name directly follows the bracket, and type arguments directly follow a name:
 * `Array< Map<`.
 */
const isComparison = (char: string, before: string | undefined, next: string | undefined) =>
  char === "<" && !/[\w>/$_({[]/.test(next ?? "") && !/[\w$]/.test(before ?? "");

/** The deepest nesting of brackets in a source text. Brackets in strings count too, which only makes it stricter. */
export function nestingOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] ?? "";
    if (CLOSING.has(char)) depth = Math.max(0, depth - 1);
    else if (OPENING.has(char) && !isComparison(char, source[at - 1], source[at + 1]))
      deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}

/** The deepest nesting of a JSON text. Its strings are a student's words, in which brackets mean nothing. */
export const nestingOfJson = (source: string): number =>
  nestingOf(source.replaceAll(/"[^"\\\n]*(?:\\.[^"\\\n]*)*"/g, '""'));
