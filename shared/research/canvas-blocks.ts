import { groupBy } from "#shared/pages/rules.ts";
import type { CanvasSection, CanvasSentence, Disagreement } from "./schema.ts";

/** A part of a section: a paragraph, or two sentences of sources that disagree. */
export type CanvasBlock = { sentences: readonly CanvasSentence[]; pair?: undefined } | { pair: Disagreement };

/** The paragraphs and disagreements of a section, in the order in which they are read. */
export function listBlocks({ paragraphs, disagreements }: CanvasSection): CanvasBlock[] {
  const pairsAt = (position: number): CanvasBlock[] =>
    disagreements
      .filter(({ paragraphsBefore = paragraphs.length }) => Math.min(paragraphsBefore, paragraphs.length) === position)
      .map((pair) => ({ pair }));
  return [
    ...paragraphs.flatMap((sentences, at): CanvasBlock[] => [...pairsAt(at), { sentences }]),
    ...pairsAt(paragraphs.length),
  ];
}

export const sentencesInBlock = (block: CanvasBlock): readonly CanvasSentence[] =>
  block.pair ? block.pair.sides : block.sentences;

/** The source's heading above the first sentence of a part. */
export const headingAbove = (block: CanvasBlock): string | undefined => sentencesInBlock(block)[0]?.heading;

/** A copy of a section with other parts. */
export function withBlocks(section: CanvasSection, blocks: readonly CanvasBlock[]): CanvasSection {
  const paragraphs: CanvasSentence[][] = [];
  const disagreements: Disagreement[] = [];
  for (const block of blocks) {
    if (block.pair) disagreements.push({ ...block.pair, paragraphsBefore: paragraphs.length });
    else if (block.sentences.length > 0) paragraphs.push([...block.sentences]);
  }
  const isEmpty = paragraphs.length === 0 && disagreements.length === 0;
  return { ...section, paragraphs, disagreements, status: isEmpty ? "not_found" : "written" };
}

/** The remaining sentences of a paragraph; its heading moves to the first of them. */
export function withHeadingOf(
  paragraph: readonly CanvasSentence[],
  left: readonly CanvasSentence[],
): readonly CanvasSentence[] {
  const [first, ...others] = left;
  const heading = paragraph[0]?.heading;
  return first === undefined || heading === undefined ? left : [{ ...first, heading }, ...others];
}

/** A section without the sentences that no source supports. */
export function withoutUnsupported(section: CanvasSection): CanvasSection {
  if (section.status !== "written") return section;
  const blocks = listBlocks(section).map((block): CanvasBlock => {
    if (block.pair) return block;
    const supported = block.sentences.filter(({ isSupported }) => isSupported);
    return { sentences: withHeadingOf(block.sentences, supported) };
  });
  return withBlocks(section, blocks);
}

type IsSide = (sentence: CanvasSentence) => boolean;

export const hasSentence = ({ paragraphs }: CanvasSection, matches: IsSide): boolean => paragraphs.flat().some(matches);

/**
 * The parts of a section with a pair of disagreeing sentences, at the position of the first of them; undefined if the
 * section has neither sentence. A pair at the beginning of a paragraph gets its heading, and the rest of the paragraph
 * follows below.
 */
function replaceFirst(blocks: readonly CanvasBlock[], pair: Disagreement, isSide: IsSide): CanvasBlock[] | undefined {
  const at = blocks.findIndex((block) => !block.pair && block.sentences.some(isSide));
  const block = blocks[at];
  if (!block || block.pair) return undefined;
  const { sentences } = block;
  const index = sentences.findIndex(isSide);
  return [
    ...blocks.slice(0, at),
    { sentences: sentences.slice(0, index) },
    { pair: index === 0 ? { ...pair, sides: [...withHeadingOf(sentences, pair.sides)] } : pair },
    { sentences: sentences.slice(index + 1) },
    ...blocks.slice(at + 1),
  ];
}

const withoutSides = (blocks: readonly CanvasBlock[], isSide: IsSide): CanvasBlock[] =>
  blocks.map((block) =>
    block.pair
      ? block
      : {
          sentences: withHeadingOf(
            block.sentences,
            block.sentences.filter((sentence) => !isSide(sentence)),
          ),
        },
  );

/**
 * Moves two disagreeing sentences out of the text into a pair, at the position of the first of them, so that neither is
 * read before the other. A sentence stays in the text if it is the only answer to a question of the student. If the
 * text has neither sentence, the pair goes to the end of the given section.
 */
export function placeDisagreement(
  sections: readonly CanvasSection[],
  pair: Disagreement,
  { isSide, fallbackId }: { isSide: IsSide; fallbackId: string | undefined },
): CanvasSection[] {
  const targetId = sections.find((section) => hasSentence(section, isSide))?.id ?? fallbackId;
  return sections.map((section) => {
    const blocks = listBlocks(section);
    if (section.id === targetId) {
      const placed = replaceFirst(blocks, pair, isSide) ?? [...blocks, { pair }];
      return withBlocks(section, withoutSides(placed, isSide));
    }
    if (!hasSentence(section, isSide)) return section;
    const left = withBlocks(section, withoutSides(blocks, isSide));
    return left.status === "not_found" && section.topic === null ? section : left;
  });
}

const isStandard = ({ topic, status }: CanvasSection) => topic !== null && status === "written";

/**
 * Joins the paragraphs of the standard sections, which are shown one after another, that are under the same heading of
 * the same source. `sourceOf` gives the source of a citation.
 */
export function joinSameHeadings(
  sections: readonly CanvasSection[],
  sourceOf: (citation: number) => number | undefined,
): CanvasSection[] {
  const keyOf = ([first]: readonly CanvasSentence[]) =>
    first?.heading === undefined ? "" : `${sourceOf(first.cites[0] ?? 0)} ${first.heading}`;
  const paragraphs = sections.filter(isStandard).flatMap((section) => section.paragraphs);
  const remaining = groupBy(paragraphs, keyOf);
  return sections.map((section) => {
    if (!isStandard(section)) return section;
    const blocks = listBlocks(section).map((block): CanvasBlock => {
      if (block.pair) return block;
      const key = keyOf(block.sentences);
      if (key === "") return block;
      const joined = remaining.get(key) ?? [];
      remaining.delete(key);
      return {
        sentences: withHeadingOf(
          block.sentences,
          joined.flat().map(({ heading: _heading, ...one }) => one),
        ),
      };
    });
    return withBlocks(section, blocks);
  });
}
