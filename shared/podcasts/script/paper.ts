import type { Section } from "#shared/cards/source/sections.ts";
import { stripNumbering } from "./chapter-title.ts";
import { endsPaper, isFindingsHeading, isPartOfPaper } from "./section-kinds.ts";

const INTRODUCTION = /^(?:introduction|motivation)$/iu;
/** Papers also call their conclusion a summary; in a textbook, a summary repeats its chapter. */
const SUMMARY = /^summary(?: and .*)?$/iu;

const isIntroduction = (title: string) => INTRODUCTION.test(stripNumbering(title));
const isSummary = (title: string) => SUMMARY.test(stripNumbering(title));

/** Whether the headings of a source are those of a paper. */
export function isPaper(titles: readonly string[]): boolean {
  const start = titles.findIndex(isIntroduction);
  const end = titles.findLastIndex((title) => endsPaper(title) || isSummary(title));
  return titles.some(isPartOfPaper) || (start !== -1 && end > start);
}

/**
 * The sections of a paper with the names that papers share: what stands before the introduction, below the title, the
 * authors or a date, is the abstract, and a summary at the end is the conclusion. Other sources stay as they are.
 */
export function nameParts(sections: readonly Section[]): Section[] {
  if (!isPaper(sections.map(({ title }) => title))) return [...sections];
  const start = sections.findIndex(({ title }) => isIntroduction(title));
  return sections.map((section, index) => {
    const { title, path } = section;
    if (index < start) return { ...section, title: "Abstract", path: [...path.slice(0, -1), "Abstract"] };
    if (!isSummary(title) || index < sections.length / 2) return section;
    return { ...section, title: "Conclusion", path: [...path.slice(0, -1), "Conclusion"] };
  });
}

/** For what a paper asks, finds and concludes, so that it is chosen before its methods, its software and its examples. */
const FINDINGS_BONUS = 1.5;

/** A bonus for the runs of a section, if its source is a paper. */
export const findingsBonus = (title: string): number =>
  isFindingsHeading(title) || isIntroduction(title) ? FINDINGS_BONUS : 0;
