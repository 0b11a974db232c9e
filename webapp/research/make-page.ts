import { ulid } from "ulid";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component, Run, TextContent } from "#shared/pages/schema.ts";
import { listShownSections, splitEditedText, splitMarkers } from "#shared/research/canvas.ts";
import { headingAbove, listBlocks, type CanvasBlock, withoutUnsupported } from "#shared/research/canvas-blocks.ts";
import type { CanvasSentence, Disagreement, ResearchSession } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { queue } from "#webapp/offline/sync.ts";
import { formatResearchCitation, headingOf } from "./parts/source-name.ts";

type SubType = TextContent["subType"];

function citationRuns(cites: readonly number[], { citations, sources, _id: id }: ResearchSession): Run[] {
  return cites.flatMap((n): Run[] => {
    const cited = citations.find((citation) => citation.n === n);
    const source = sources.find((candidate) => candidate.n === cited?.source);
    if (!cited || !source) return [];
    const parsed = cited.citation === null ? undefined : parseCitation(cited.citation);
    const target = (parsed && citationAddress(parsed)) ?? source.url ?? screenPath("researchSession", { id });
    return [{ content: " " }, { content: formatResearchCitation(cited, source), reference: { kind: "link", target } }];
  });
}

const sentenceRuns = (sentences: readonly CanvasSentence[], session: ResearchSession): Run[] =>
  sentences.flatMap((sentence, index): Run[] => [
    { content: `${index === 0 ? "" : " "}${sentence.text}` },
    ...citationRuns(sentence.cites, session),
    ...(sentence.isSupported ? [] : [{ content: ` ${t("research.unsupported_mark")}`, attributes: { italic: true } }]),
  ]);

type Block = { runs: Run[]; subType: SubType };

/** The student's version of a section, as a block for each heading and paragraph. */
const editedBlocks = (edited: string, session: ResearchSession): Block[] =>
  splitEditedText(edited).map(({ isHeading, text }) => ({
    runs: splitMarkers(text).flatMap((part) =>
      typeof part === "string" ? [{ content: part }] : citationRuns([part], session),
    ),
    subType: isHeading ? "heading_3" : "normal",
  }));

const disagreementBlocks = ({ sides }: Disagreement, session: ResearchSession): Block[] => [
  { runs: [{ content: t("research.disagree"), attributes: { bold: true } }], subType: "normal" },
  ...sides.map((side) => ({ runs: sentenceRuns([side], session), subType: "block_quote" as const })),
];

/** A block of the canvas, below the heading that its source gives it, if any. */
function toPageBlocks(block: CanvasBlock, session: ResearchSession): Block[] {
  const heading = headingAbove(block);
  return [
    ...(heading === undefined ? [] : [{ runs: [{ content: heading }], subType: "heading_3" as const }]),
    ...(block.pair
      ? disagreementBlocks(block.pair, session)
      : [{ runs: sentenceRuns(block.sentences, session), subType: "normal" as const }]),
  ];
}

/**
 * The text blocks of a section: its heading, then the student's version, or the paragraphs and disagreements as quotes.
 */
function sectionBlocks(
  { section, heading }: ReturnType<typeof listShownSections>[number],
  session: ResearchSession,
): Block[] {
  if (section.status !== "written") return [];
  const title = headingOf(heading === "own" ? section : { ...section, topic: "more" });
  const edit = session.edits.find(({ section: id }) => id === section.id);
  const checked = () => listBlocks(section).flatMap((block) => toPageBlocks(block, session));
  return [
    ...(heading === "none" ? [] : [{ runs: [{ content: title }], subType: "heading_2" as const }]),
    ...(edit ? editedBlocks(edit.text, session) : checked()),
  ];
}

/** The blocks of the page. What no source supports is marked, and is left out where cards are made of the page. */
export function listPageBlocks(session: ResearchSession, opens: "page" | "cards"): Block[] {
  const sections = opens === "cards" ? session.sections.map(withoutUnsupported) : session.sections;
  return listShownSections(sections).flatMap((shown) => sectionBlocks(shown, session));
}

/** Creates a page of notes from the canvas, with a link for each citation, and opens it or its cards. */
export async function makePageFromCanvas(session: ResearchSession, opens: "page" | "cards"): Promise<void> {
  try {
    const pageId = ulid();
    const now = Date.now();
    await queue().enqueue("page_create", pageId, { title: session.conversation_title, createdAt: now });
    for (const { runs, subType } of listPageBlocks(session, opens)) {
      const component: Component = {
        _id: ulid(),
        pageId,
        createdAt: now,
        modifiedAt: now,
        createdBy: "",
        lastOpenedAt: null,
        version: 1,
        type: "text",
        content: { text: runs, subType, metadata: { indents: 0, highlightColor: null } },
      };
      await queue().enqueue("component_create", component._id, { component, parentId: pageId });
    }
    notify({ message: t("research.page_made"), type: "success" });
    goTo(`${screenPath("page", { id: pageId })}${opens === "cards" ? "?make=cards" : ""}`);
  } catch (error) {
    logWarning("Could not make a page", error);
    notify({ message: t("research.make_failed"), type: "error" });
  }
}
