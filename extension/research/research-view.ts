import { interpolate } from "#shared/messages/interpolate.ts";
import { countIndependent } from "#shared/research/rules.ts";
import { type CanvasBlock, listBlocks, sentencesInBlock, withoutUnsupported } from "#shared/research/canvas-blocks.ts";
import type { CanvasSection, ResearchSession, ResearchTool } from "#shared/research/schema.ts";
import { words } from "#extension/words/words.ts";

/** Sentences of the result that fit in the panel; the web app shows all. */
const MAX_SENTENCES = 5;

const sourceNames = {
  wikipedia: "Wikipedia",
  crossref: "Crossref",
  europepmc: "Europe PMC",
  arxiv: "arXiv",
  openalex: "OpenAlex",
  kiwix: "Kiwix",
} as const;

export interface ResearchPart {
  id: string;
  heading: string;
  blocks: readonly CanvasBlock[];
}

/** What the panel shows of a session. */
export interface ResearchView {
  title: string;
  isRunning: boolean;
  status: string;
  /** What is being done now; undefined once the run has ended. */
  step: string | undefined;
  sources: string;
  /** The first sentences of the result that a source supports. */
  parts: readonly ResearchPart[];
}

function describeSearch({ args: { source = "library" } }: ResearchTool): string {
  if (source === "library") return words.research_step_library;
  if (source === "web") return words.research_step_web;
  return interpolate(words.research_step_search, { source: sourceNames[source] });
}

function describeTool(tool: ResearchTool): string {
  switch (tool.name) {
    case "search":
      return describeSearch(tool);
    case "open":
      return interpolate(words.research_step_open, { title: tool.args.title ?? "" });
    case "read_library":
      return words.research_step_library;
    case "compare":
      return words.research_step_compare;
    case "verify":
      return words.research_step_verify;
    default:
      return tool.name satisfies never;
  }
}

/** The current step; tools of earlier runs of the session are ignored. */
function describeStep({ run, tool_instances: tools, sections }: ResearchSession): string {
  const runTools = tools.filter(({ started_at: startedAt }) => startedAt >= run.startedAt);
  const tool = runTools.findLast(({ status }) => status === "running") ?? runTools.at(-1);
  if (tool) return describeTool(tool);
  return sections.length === 0 ? words.research_step_plan : words.research_step_search_start;
}

const headingOf = ({ topic, heading }: CanvasSection) =>
  topic === null ? heading : words[`research_heading_${topic}`];

/** The first sentences of a block; two sentences that disagree stay together. */
const cutBlock = (block: CanvasBlock, maxSentences: number): CanvasBlock =>
  block.pair ? block : { sentences: block.sentences.slice(0, maxSentences) };

function firstParts(sections: readonly CanvasSection[]): ResearchPart[] {
  const parts: ResearchPart[] = [];
  let remaining = MAX_SENTENCES;
  for (const section of sections) {
    const blocks: CanvasBlock[] = [];
    for (const block of listBlocks(withoutUnsupported(section))) {
      if (remaining <= 0) break;
      const cut = cutBlock(block, remaining);
      remaining -= sentencesInBlock(cut).length;
      if (sentencesInBlock(cut).length > 0) blocks.push(cut);
    }
    if (blocks.length > 0) parts.push({ id: section.id, heading: headingOf(section), blocks });
  }
  return parts;
}

function describeStatus({ run }: ResearchSession, hasResult: boolean): string {
  if (run.status === "running") return words.research_running;
  if (run.status === "stopped") return words.research_stopped;
  if (run.status === "failed") return words.research_failed;
  return hasResult ? words.research_done : words.research_nothing;
}

export function viewResearch(session: ResearchSession): ResearchView {
  const isRunning = session.run.status === "running";
  const parts = firstParts(session.sections);
  const count = countIndependent(session.sources);
  return {
    title: session.conversation_title || words.research_untitled,
    isRunning,
    status: describeStatus(session, parts.length > 0),
    step: isRunning ? describeStep(session) : undefined,
    sources: count === 1 ? words.research_sources_one : interpolate(words.research_sources_many, { count }),
    parts,
  };
}

/** The status, the step and the sources in one line. A sentence needs no dot after its full stop. */
export const joinStatus = ({ status, step, sources }: Pick<ResearchView, "status" | "step" | "sources">): string =>
  [status, step, sources]
    .filter((text) => text !== undefined)
    .reduce((joined, text) => `${joined}${joined.endsWith(".") ? " " : " · "}${text}`);
