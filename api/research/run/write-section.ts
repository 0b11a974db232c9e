import { findInSnapshot, isSupportedBy } from "#shared/research/evidence/verify.ts";
import { extendWithNeighbours } from "#shared/research/evidence/extend-with-neighbours.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import {
  hasSentence,
  listBlocks,
  placeDisagreement,
  type CanvasBlock,
  withBlocks,
  withHeadingOf,
} from "#shared/research/canvas-blocks.ts";
import { findDisagreements } from "#shared/research/evidence/disagreements.ts";
import type { EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import { listStatements } from "#shared/research/evidence/select-sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { CanvasSection, CanvasSentence, ResearchCitation, SnapshotPassage } from "#shared/research/schema.ts";
import { citeSnapshot } from "./cite-source.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import type { ResearchDraft } from "./run-state.ts";

const MAX_DISAGREEMENTS = 10;

/** A sentence with the quote that supports it. Without a quote, the sentence itself is the quote. */
type QuotableSentence = Pick<EvidenceSentence, "source" | "passageId" | "text"> & { quote?: string };

/** Verifies a sentence against its snapshot and cites it; undefined if the snapshot does not contain the quote. */
async function citeSentence(
  draft: ResearchDraft,
  gathered: GatheredSources,
  { source: n, passageId, text, quote = text }: QuotableSentence,
): Promise<CanvasSentence | undefined> {
  const source = draft.state.sources.find((candidate) => candidate.n === n);
  const passage = (await gathered.snapshot(n)).find(({ id }) => id === passageId);
  const key = Object.entries(draft.state.keys).find(([, number]) => number === n)?.[0];
  const verified = passage && findInSnapshot([passage], quote);
  if (!source || !passage || key === undefined || !verified) return undefined;
  const cite = draft.cite(citeSnapshot(source, key, { passage, quote: verified.quote }));
  return { text, cites: [cite], isSupported: true };
}

type FindPassage = (sentence: EvidenceSentence) => Required<SnapshotPassage> | undefined;

/**
 * Groups sentences into one paragraph for each heading of each source, in the order of the best sentences. Under a
 * heading, sentences are in the order of the source.
 */
function groupByHeading(sentences: readonly EvidenceSentence[], passageOf: FindPassage): EvidenceSentence[][] {
  const groups = groupBy(sentences, (sentence) => `${sentence.source} ${passageOf(sentence)?.heading ?? ""}`);
  const positionOf = (sentence: EvidenceSentence) => passageOf(sentence)?.position ?? 0;
  return [...groups.values()].map((group) =>
    group.toSorted((a, b) => positionOf(a) - positionOf(b) || a.at - b.at || b.score - a.score),
  );
}

/** Maximum number of sentences for a question of the student, including neighbours. */
export const MAX_SENTENCES_WITH_NEIGHBOURS = 12;

async function readPassages(gathered: GatheredSources, sentences: readonly EvidenceSentence[]): Promise<FindPassage> {
  const passages = new Map<string, Required<SnapshotPassage>>();
  for (const n of new Set(sentences.map(({ source }) => source)))
    for (const [position, passage] of (await gathered.snapshot(n)).entries())
      passages.set(`${n} ${passage.id}`, { position, ...passage });
  return ({ source, passageId }) => passages.get(`${source} ${passageId}`);
}

/**
 * Adds the neighbours of the sentences in their passages, unless another section shows them. Under our own headings,
 * nothing is added, because the neighbours there are mostly about something else.
 */
function growSection(
  draft: ResearchDraft,
  section: CanvasSection,
  sentences: readonly EvidenceSentence[],
  passageOf: FindPassage,
): EvidenceSentence[] {
  if (section.topic !== null) return [...sentences];
  const others = draft.ownSections.filter(({ id }) => id !== section.id);
  return extendWithNeighbours(sentences, (sentence) => passageOf(sentence)?.text ?? "", {
    language: draft.language,
    query: draft.state.tasks.find(({ id }) => id === section.id)?.query ?? section.heading,
    used: new Set(sentencesOf(others).map(({ text }) => text)),
    most: MAX_SENTENCES_WITH_NEIGHBOURS,
    headingOf: (sentence) => passageOf(sentence)?.heading ?? null,
  });
}

/** Writes a section from whole sentences; returns the new citations. */
export async function writeSection(
  draft: ResearchDraft,
  gathered: GatheredSources,
  section: CanvasSection,
  sentences: readonly EvidenceSentence[],
): Promise<ResearchCitation[]> {
  const before = draft.state.citations.length;
  const paragraphs: CanvasSentence[][] = [];
  const passageOf = await readPassages(gathered, sentences);
  for (const group of groupByHeading(growSection(draft, section, sentences, passageOf), passageOf)) {
    const cited: CanvasSentence[] = [];
    const heading = group[0] && passageOf(group[0])?.heading;
    for (const sentence of group) {
      const written = await citeSentence(draft, gathered, sentence);
      if (written) cited.push(cited.length === 0 && heading ? { ...written, heading } : written);
    }
    if (cited.length > 0) paragraphs.push(cited);
  }
  draft.putSection({ ...section, paragraphs, status: paragraphs.length > 0 ? "written" : "not_found" });
  return draft.state.citations.slice(before);
}

/** Writes a section from the supported sentences of a model, in its order, followed by the unsupported ones. */
export async function writeModelSection(
  draft: ResearchDraft,
  gathered: GatheredSources,
  section: CanvasSection,
  { findings, unsupported }: { findings: readonly QuotableSentence[]; unsupported: readonly string[] },
): Promise<ResearchCitation[]> {
  const before = draft.state.citations.length;
  const sentences: CanvasSentence[] = [];
  for (const finding of findings) {
    const cited = await citeSentence(draft, gathered, finding);
    if (cited) sentences.push(cited);
  }
  sentences.push(...unsupported.map((text) => ({ text, cites: [], isSupported: false })));
  const paragraphs = sentences.length > 0 ? [sentences] : [];
  draft.putSection({ ...section, paragraphs, status: paragraphs.length > 0 ? "written" : "not_found" });
  return draft.state.citations.slice(before);
}

/** The statements of the sources on each part of the question, and on the whole question. */
async function listAllStatements(draft: ResearchDraft, gathered: GatheredSources): Promise<EvidenceSentence[]> {
  const parts = [...new Set(draft.state.tasks.map((task) => task.query))];
  const statements = new Map<string, EvidenceSentence>();
  for (const query of new Set([parts.join(" "), ...parts])) {
    const evidence = await gathered.findEvidence(query);
    for (const statement of listStatements(evidence, { query, language: draft.language }))
      statements.set(`${statement.source} ${statement.passageId} ${statement.at}`, statement);
  }
  return [...statements.values()];
}

/** Puts sentences of different sources that contradict each other side by side. */
export async function writeDisagreements(draft: ResearchDraft, gathered: GatheredSources): Promise<number> {
  const pairs = findDisagreements(await listAllStatements(draft, gathered)).slice(0, MAX_DISAGREEMENTS);
  let written = 0;
  for (const { kind, about, sides } of pairs) {
    const isSide = (sentence: CanvasSentence) => sides.some((side) => statesOnly(draft, sentence, side));
    const fallbackId = findClosestSection(draft, sides);
    const isInText = draft.ownSections.some((section) => hasSentence(section, isSide));
    if (!isInText && (fallbackId === undefined || isShownEarlier(draft, sides))) continue;
    const [first, second] = await Promise.all(sides.map((side) => citeSentence(draft, gathered, side)));
    if (!first || !second) continue;
    const pair = { kind, about, sides: [first, second] };
    for (const section of placeDisagreement(draft.ownSections, pair, { isSide, fallbackId })) draft.putSection(section);
    written += 1;
  }
  return written;
}

/** Whether an earlier question shows two sentences side by side. */
function isShownEarlier({ state }: ResearchDraft, sides: readonly EvidenceSentence[]): boolean {
  const texts = new Set(sides.map(({ text }) => text));
  const pairs = state.sections.flatMap(({ disagreements }) => disagreements);
  return pairs.some((pair) => pair.sides.every(({ text }) => texts.has(text)));
}

/** Whether a sentence of the canvas repeats a sentence of a source, or cites only that sentence. */
function statesOnly(draft: ResearchDraft, { text, cites }: CanvasSentence, side: EvidenceSentence): boolean {
  const cited = cites.flatMap((n) => draft.state.citations.filter((citation) => citation.n === n));
  const isSame = ({ source, quote }: ResearchCitation) => source === side.source && quote === side.text;
  return text === side.text || (cited.length > 0 && cited.every(isSame));
}

/** The section whose question is closest to the sentences. */
function findClosestSection(draft: ResearchDraft, sides: readonly EvidenceSentence[]): string | undefined {
  const terms = new Set(sides.flatMap(({ text }) => searchTerms(text)));
  const closeness = draft.state.tasks.map(({ id, query }) => {
    const queryTerms = [...new Set(searchTerms(query))];
    const share = queryTerms.filter((term) => terms.has(term)).length / Math.max(1, queryTerms.length);
    return { id, share };
  });
  const [closest] = closeness.toSorted((a, b) => b.share - a.share);
  return closest && closest.share > 0 ? closest.id : undefined;
}

/** Whether every quote of a sentence is in the stored snapshot of its source and supports the sentence. */
async function isVerified(
  sentence: CanvasSentence,
  citations: readonly ResearchCitation[],
  gathered: GatheredSources,
): Promise<boolean> {
  if (sentence.cites.length === 0) return false;
  for (const n of sentence.cites) {
    const citation = citations.find((candidate) => candidate.n === n);
    const passage = citation && (await gathered.snapshot(citation.source)).find(({ id }) => id === citation.passageId);
    if (!citation || !passage || !findInSnapshot([passage], citation.quote)) return false;
  }
  const quotes = sentence.cites.map((n) => citations.find((candidate) => candidate.n === n)?.quote ?? "").join(" ");
  return isSupportedBy(sentence.text, quotes);
}

/**
 * Reads every snapshot from the store again and verifies every sentence of this run. A sentence that fails is left out
 * in strict mode, and marked as unsupported otherwise.
 */
export async function verifyCanvas(draft: ResearchDraft, gathered: GatheredSources, isStrict: boolean) {
  gathered.reload();
  let verified = 0;
  let leftOut = 0;
  const verifySentence = async (sentence: CanvasSentence): Promise<CanvasSentence[]> => {
    if (await isVerified(sentence, draft.state.citations, gathered)) {
      verified += 1;
      return [{ ...sentence, isSupported: true }];
    }
    // Unsupported sentences were counted when they were written.
    if (sentence.isSupported) leftOut += 1;
    return isStrict ? [] : [{ ...sentence, cites: [], isSupported: false }];
  };
  const verifyAll = async (sentences: readonly CanvasSentence[]) => {
    const shown: CanvasSentence[] = [];
    for (const sentence of sentences) shown.push(...(await verifySentence(sentence)));
    return shown;
  };
  for (const section of draft.ownSections) {
    const blocks: CanvasBlock[] = [];
    for (const block of listBlocks(section)) {
      if (block.pair) {
        const supported = (await verifyAll(block.pair.sides)).filter(({ isSupported }) => isSupported);
        const sides = [...withHeadingOf(block.pair.sides, supported)];
        blocks.push(sides.length === 2 ? { pair: { ...block.pair, sides } } : { sentences: sides });
      } else blocks.push({ sentences: withHeadingOf(block.sentences, await verifyAll(block.sentences)) });
    }
    draft.putSection(withBlocks(section, blocks));
  }
  return { verified, leftOut };
}
