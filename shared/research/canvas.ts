import type { Language } from "#shared/messages/language.ts";
import { headingAbove, listBlocks } from "./canvas-blocks.ts";
import type { CanvasSection, CanvasSentence, Disagreement, ResearchCitation } from "./schema.ts";
import { researchWording } from "./wording.ts";

const HEADING_MARK = "### ";

const escapeText = (text: string) => text.replaceAll(/([\\`*_[\]<>#|~$])/g, String.raw`\$1`);
const markers = ({ cites }: CanvasSentence) => cites.map((n) => ` [^${n}]`).join("");

function formatSentence(sentence: CanvasSentence, language: Language): string {
  const mark = sentence.isSupported ? "" : ` *${researchWording[language].unsupported}*`;
  return `${escapeText(sentence.text)}${markers(sentence)}${mark}`;
}

function formatDisagreement({ about, sides }: Disagreement, language: Language): string {
  const lines = sides.map((side) => `> - ${formatSentence(side, language)}`);
  return [`> **${researchWording[language].disagree}** (${escapeText(about)})`, ">", ...lines].join("\n");
}

function formatSection(
  section: CanvasSection,
  { language, heading }: { language: Language; heading?: string },
): string[] {
  const { notAsked, notFound, notFoundWords } = researchWording[language];
  const blocks = heading === undefined ? [] : [`## ${escapeText(heading)}`];
  if (section.status === "not_found") {
    const { missing = [] } = section;
    if (section.notAsked) blocks.push(notAsked(escapeText(section.heading)));
    else
      blocks.push(missing.length > 0 ? notFoundWords(missing.map(escapeText)) : notFound(escapeText(section.heading)));
  }
  for (const block of listBlocks(section)) {
    const sourceHeading = headingAbove(block);
    if (sourceHeading !== undefined) blocks.push(`${HEADING_MARK}${escapeText(sourceHeading)}`);
    const format = (sentence: CanvasSentence) => formatSentence(sentence, language);
    blocks.push(block.pair ? formatDisagreement(block.pair, language) : block.sentences.map(format).join(" "));
  }
  return blocks;
}

/**
 * The sections that are shown. Findings that the student did not ask for are under one heading, which is left out if
 * there are none.
 */
export function listShownSections(
  sections: readonly CanvasSection[],
): { section: CanvasSection; heading: "own" | "more" | "none" }[] {
  const shown = sections.filter(({ status, topic }) => topic === null || status === "written");
  return shown.map((section, at) => {
    const isFollowing = section.topic !== null && (shown[at - 1]?.topic ?? null) !== null;
    return { section, heading: section.topic === null ? "own" : isFollowing ? "none" : "more" };
  });
}

/** The canvas as Markdown, with a marker `[^n]` after each sentence. */
export function formatCanvas(sections: readonly CanvasSection[], language: Language): string {
  const { more } = researchWording[language].headings;
  return listShownSections(sections.filter(({ status }) => status === "written" || status === "not_found"))
    .flatMap(({ section, heading }) => {
      const title = heading === "own" ? section.heading : more;
      return formatSection(section, heading === "none" ? { language } : { language, heading: title });
    })
    .join("\n\n");
}

/** Every sentence of the canvas, including those in disagreements. */
export const sentencesOf = (sections: readonly CanvasSection[]): CanvasSentence[] =>
  sections.flatMap(({ paragraphs, disagreements }) => [
    ...paragraphs.flat(),
    ...disagreements.flatMap(({ sides }) => sides),
  ]);

/** The number of sentences that each source supports, by source number. */
export function countSupport(
  sections: readonly CanvasSection[],
  citations: readonly ResearchCitation[],
): ReadonlyMap<number, number> {
  const sourceOf = new Map(citations.map(({ n, source }) => [n, source]));
  const counts = new Map<number, number>();
  for (const { cites } of sentencesOf(sections))
    for (const source of new Set(cites.map((n) => sourceOf.get(n))))
      if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
  return counts;
}

const withMarkers = (sentences: readonly CanvasSentence[]) =>
  sentences.map((one) => `${one.text}${markers(one)}`).join(" ");

/**
 * A written section as plain text for the student to rewrite, with a marker `[^n]` for each citation and `###` before
 * each heading. A disagreement is a paragraph that begins with `disagree`.
 */
export const toEditableText = (section: CanvasSection, disagree: string): string =>
  listBlocks(section)
    .flatMap((block) => {
      const heading = headingAbove(block);
      const text = block.pair ? `${disagree}: ${withMarkers(block.pair.sides)}` : withMarkers(block.sentences);
      return heading === undefined ? [text] : [`${HEADING_MARK}${heading}`, text];
    })
    .join("\n\n");

/** The headings and paragraphs of a text that the student rewrote. */
export const splitEditedText = (text: string): { isHeading: boolean; text: string }[] =>
  text
    // A heading does not need empty lines around it.
    .replaceAll(/^### .*$/gm, "\n\n$&\n\n")
    .trim()
    .split(/\n{2,}/)
    .map((block) =>
      block.startsWith(HEADING_MARK)
        ? { isHeading: true, text: block.slice(HEADING_MARK.length).trim() }
        : { isHeading: false, text: block },
    )
    .filter((block) => block.text !== "");

/** Splits a text into words and the numbers of citation markers. */
export const splitMarkers = (text: string): (string | number)[] =>
  text
    .split(/\s*\[\^(\d{1,6})\]/)
    .map((part, at) => (at % 2 === 0 ? part : Number(part)))
    .filter((part) => part !== "");

/** The text around a quote: the whole passage if it is short, otherwise its surroundings. */
export function surroundingsOf(text: string, quote: string, maxChars = 700): string {
  if (text.length <= maxChars) return text;
  const at = Math.max(0, text.indexOf(quote));
  const from = Math.max(0, at - Math.floor((maxChars - quote.length) / 2));
  return text.slice(from, from + maxChars);
}
