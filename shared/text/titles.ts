import { headingWriter } from "./capitals.ts";
import { splitSentences } from "./sentences.ts";
import { contentStems, isStopWord, wordsOf } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const MAX_TITLE = 80;
/** How many passages are read to learn how a source writes its words. */
const MAX_READ = 400;

function tidy(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(
      /^(?:\d+(?:\.\d+)*[.)]?|(?:chapter|lecture|unit|lesson|week|section|part)\s+[\dIVX]+)\s*[:.\u2013\u2014-]?\s+/i,
      "",
    )
    .trim();
  if (line.length <= MAX_TITLE) return line.replace(/[\s.:;,\u2013\u2014-]+$/, "");
  const cut = line.slice(0, MAX_TITLE);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 40)).replace(/[\s.:;,\u2013\u2014-]+$/, "")}…`;
}

const FRONT_MATTER =
  /^(?:abstract|contents|table of contents|introduction|preface|outline|objectives|learning (?:objectives|outcomes)|summary|key terms|notes?|overview|acknowledge?ments|references)$/i;

const isTitleLike = (text: string) =>
  /\p{L}{3}/u.test(text) && text.length <= 160 && !FRONT_MATTER.test(tidy(text)) && wordsOf(text).length <= 20;

/** The most prominent heading near the start. */
function headingTitle(passages: readonly Passage[]): string | undefined {
  const headings = passages.slice(0, 60).filter((p) => p.kind === "heading" && isTitleLike(p.text));
  const top = Math.min(...headings.map((h) => h.level ?? 6));
  const heading = headings.find((h) => (h.level ?? 6) === top)?.text;
  return heading && headingWriter(passages.slice(0, MAX_READ))(tidy(heading));
}

/** The title for a source without a heading: its two most frequent words, as first written. */
function subjectTitle(passages: readonly Passage[]): string | undefined {
  const counts = new Map<string, number>();
  const wordForms = new Map<string, string>();
  for (const passage of passages.slice(0, MAX_READ)) {
    for (const word of passage.text.slice(0, 5000).match(/\p{L}[\p{L}\p{N}-]{3,}/gu) ?? []) {
      const key = contentStems(word)[0];
      if (key === undefined || isStopWord(word.toLowerCase())) continue;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (!wordForms.has(key)) wordForms.set(key, word);
    }
  }
  const top = [...counts]
    .filter(([, n]) => n > 2)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 2);
  const names = top.map(([key]) => wordForms.get(key) ?? key);
  return names.length === 2 ? names.map((n) => n[0]?.toUpperCase() + n.slice(1)).join(" and ") : undefined;
}

/** The title that a source gives itself. */
export function proposeHeadingTitle(passages: readonly Passage[]): string | undefined {
  const heading = headingTitle(passages);
  return heading === undefined ? undefined : tidy(heading) || undefined;
}

/**
 * A short title for a source: its heading, else its first sentence if that is short, else its most frequent words; ""
 * without content.
 */
export function proposeSourceTitle(passages: readonly Passage[]): string {
  const heading = headingTitle(passages);
  if (heading !== undefined) return tidy(heading);
  const prose = passages.filter((p) => p.kind === "paragraph" || p.kind === "list_item");
  const first = prose.find((p) => /\p{L}{3}/u.test(p.text));
  const opening = first && splitSentences(first.text.slice(0, 2000))[0]?.text;
  if (opening !== undefined && wordsOf(opening).length <= 10) return tidy(opening);
  return tidy(subjectTitle(prose) ?? opening ?? "");
}
