import type { Component, Run, TextContent } from "#shared/pages/schema.ts";
import { listShownSections, sentencesOf } from "#shared/research/canvas.ts";
import { headingAbove, listBlocks, type CanvasBlock } from "#shared/research/canvas-blocks.ts";
import type { CanvasSentence, Disagreement } from "#shared/research/schema.ts";
import { researchWording } from "#shared/research/wording.ts";
import type { Own } from "#api/store/owned-store.ts";
import { type ContentDoc, findResearchContent, findResearchSession } from "./store.ts";

type SubType = TextContent["subType"];

/** Title and version of a shared session; undefined if the session is archived, deleted or not in this account. */
export async function findResearchHead(
  own: Own,
  sessionId: string,
): Promise<{ title: string; version: string } | undefined> {
  const session = await findResearchSession(own, sessionId);
  if (!session || session.is_archived) return undefined;
  const { run, conversation_title: title } = session;
  return { title, version: `${run.id}.${run.status}.${run.seq}.${title}` };
}

function sentenceRuns({ text, cites, isSupported }: CanvasSentence, content: ContentDoc): Run[] {
  const { citations, sources, language } = content;
  const markers = cites.flatMap((n): Run[] => {
    const source = sources.find((candidate) => candidate.n === citations.find((cited) => cited.n === n)?.source);
    if (!source) return [];
    const marker = `[${source.n}]`;
    return [
      { content: " " },
      source.url === null
        ? { content: marker }
        : { content: marker, reference: { kind: "link" as const, target: source.url } },
    ];
  });
  const mark = ` ${researchWording[language].unsupported}`;
  return [
    { content: text },
    ...markers,
    ...(isSupported ? [] : [{ content: mark, attributes: { italic: true } }]),
    { content: " " },
  ];
}

interface CanvasText {
  runs: Run[];
  subType: SubType;
}

const pairTexts = ({ sides }: Disagreement, content: ContentDoc): CanvasText[] => [
  {
    runs: [{ content: researchWording[content.language].disagree, attributes: { bold: true } }],
    subType: "normal",
  },
  ...sides.map((side) => ({ runs: sentenceRuns(side, content), subType: "block_quote" as const })),
];

/** A part of a section below the heading that its source has for it. */
function partTexts(part: CanvasBlock, content: ContentDoc): CanvasText[] {
  const heading = headingAbove(part);
  const paragraph = (sentences: readonly CanvasSentence[]): CanvasText => ({
    runs: sentences.flatMap((sentence) => sentenceRuns(sentence, content)),
    subType: "normal",
  });
  return [
    ...(heading === undefined ? [] : [{ runs: [{ content: heading }], subType: "heading_2" as const }]),
    ...(part.pair ? pairTexts(part.pair, content) : [paragraph(part.sentences)]),
  ];
}

function sectionTexts(
  { section, heading }: ReturnType<typeof listShownSections>[number],
  content: ContentDoc,
): CanvasText[] {
  if (section.status !== "written") return [];
  const title = heading === "own" ? section.heading : researchWording[content.language].headings.more;
  return [
    ...(heading === "none" ? [] : [{ runs: [{ content: title }], subType: "heading_1" as const }]),
    ...listBlocks(section).flatMap((part) => partTexts(part, content)),
  ];
}

/** The canvas as texts of a page, with its sources below: what visitors of a shared session see. */
export async function listCanvasComponents(own: Own, sessionId: string): Promise<Component[]> {
  const content = await findResearchContent(own, sessionId);
  if (!content) return [];
  const cited = new Set(sentencesOf(content.sections).flatMap(({ cites }) => cites));
  const used = new Set(content.citations.filter(({ n }) => cited.has(n)).map(({ source }) => source));
  const sources = content.sources.filter(({ n }) => used.has(n));
  const texts = [
    ...listShownSections(content.sections).flatMap((shown) => sectionTexts(shown, content)),
    { runs: [{ content: researchWording[content.language].sources }], subType: "heading_1" as const },
    ...sources.map(({ n, title, url }) => ({
      runs: [
        { content: `[${n}] ` },
        url === null ? { content: title } : { content: title, reference: { kind: "link" as const, target: url } },
      ],
      subType: "normal" as const,
    })),
  ];
  return texts.map(({ runs, subType }, index) => ({
    _id: `${sessionId}.${index}`,
    pageId: sessionId,
    createdAt: 0,
    modifiedAt: 0,
    createdBy: "",
    lastOpenedAt: null,
    version: 1,
    type: "text",
    content: { text: runs, subType, metadata: { indents: 0, highlightColor: null } },
  }));
}
