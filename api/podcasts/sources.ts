import { pdfCitation, videoCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { PodcastLine, PodcastSource, PodcastSourceType } from "#shared/podcasts/schema.ts";
import type { Chapter } from "#shared/video/schema.ts";
import type { Deps } from "#api/http/handler.ts";
import { findActiveComponent } from "#api/pages/find-component.ts";
import { readPassagesWithOcr } from "#api/pdf/service.ts";
import { findResearchHead } from "#api/research/canvas-components.ts";
import { type CitedSentence, listCitedSentences } from "#api/research/cited-sentences.ts";
import type { Own } from "#api/store/owned-store.ts";
import { readTranscriptWithChapters } from "#api/video/service.ts";

export type SourceDeps = Pick<Deps, "blobs" | "clock" | "log" | "settings"> & { own: Own };

/** What the citation marker of a line opens. */
export type LineCitation = Pick<PodcastLine, "citation" | "snapshot">;

/** The text of a source, and how its passages are cited. */
export interface ReadSource {
  passages: Passage[];
  /** For a talk, the chapters that its description lists. */
  chapters?: Chapter[];
  cite(passage: Passage, quote: string): LineCitation;
}

/**
 * Reads one kind of source. The title is found when the episode is created, the text is read when the episode is made.
 */
export interface PodcastSourceReader {
  /** Undefined if the account has no such source, or has archived it. */
  findTitle(own: Own, id: string): Promise<string | undefined>;
  read(deps: SourceDeps, id: string, signal: AbortSignal): Promise<ReadSource>;
}

const sourceNotFound = () => new Failure("not_found", "podcast_source_missing");

async function findFileComponent(own: Own, id: string, type: "image" | "video") {
  const component = await findActiveComponent(own, id);
  return component?.type === type && !component.content.isArchived ? component : undefined;
}

const documents: PodcastSourceReader = {
  async findTitle(own, id) {
    const component = await findFileComponent(own, id, "image");
    return component && (component.content.title || component.content.file.name);
  },
  async read(deps, id, signal) {
    const component = await findFileComponent(deps.own, id, "image");
    if (!component) throw sourceNotFound();
    const { passages } = await readPassagesWithOcr(deps, component.content.file.id, { signal });
    return { passages, cite: (passage, quote) => ({ citation: pdfCitation(id, passage.locator.page ?? 1, quote) }) };
  },
};

const videos: PodcastSourceReader = {
  async findTitle(own, id) {
    const component = await findFileComponent(own, id, "video");
    return component && (component.content.title || component.content.file.name);
  },
  async read(deps, id) {
    if (!(await findFileComponent(deps.own, id, "video"))) throw sourceNotFound();
    const { passages, chapters } = await readTranscriptWithChapters(deps, id);
    return {
      passages,
      chapters,
      cite: ({ locator: { startMs = 0, endMs = startMs } }, quote) => ({
        citation: videoCitation(id, startMs, endMs, quote),
      }),
    };
  },
};

const passageOf = (id: string, text: string, shape: Pick<Passage, "kind" | "level">): Passage => ({
  id,
  text,
  ...shape,
  bold: [],
  italic: [],
  locator: {},
});

const headingOf = (id: string, text: string | undefined): Passage[] =>
  text === undefined ? [] : [passageOf(id, text, { kind: "heading", level: 2 })];

/**
 * Each verified sentence of the canvas is a passage, because each has a source of its own. The headings are the student's
 * questions and those of the sources.
 */
const researchSessions: PodcastSourceReader = {
  async findTitle(own, id) {
    return (await findResearchHead(own, id))?.title;
  },
  async read({ own }, id) {
    if (!(await findResearchHead(own, id))) throw sourceNotFound();
    const cited = new Map<string, CitedSentence>();
    const passages = (await listCitedSentences(own, id)).flatMap(({ question, paragraphs }, section) => [
      ...headingOf(`${section}`, question),
      ...paragraphs.flatMap(({ heading, sentences }, paragraph) => [
        // Under a question of the student, the same heading of a source may come several times.
        ...headingOf(`${section}.${paragraph}`, question === undefined ? heading : undefined),
        ...sentences.map((sentence, index) => {
          const passage = passageOf(`${section}.${paragraph}.${index}`, sentence.text, { kind: "paragraph" });
          cited.set(passage.id, sentence);
          return passage;
        }),
      ]),
    ]);
    return {
      passages,
      cite({ id: passageId }) {
        const sentence = cited.get(passageId);
        if (!sentence) return { citation: null };
        return { citation: sentence.citation, snapshot: { sessionId: id, n: sentence.source, quote: sentence.quote } };
      },
    };
  },
};

/** How each kind of source is read. */
const readers: Record<PodcastSourceType, PodcastSourceReader> = {
  pdf: documents,
  video: videos,
  research: researchSessions,
};

/**
 * Adds titles to the sources and removes duplicates. Throws `not_found` if a source is missing, archived or not in this
 * account.
 */
export const nameSources = (
  own: Own,
  sources: readonly Pick<PodcastSource, "type" | "id">[],
): Promise<PodcastSource[]> =>
  Promise.all(
    [...new Map(sources.map((source) => [source.id, source])).values()].map(async ({ type, id }) => {
      const title = await readers[type].findTitle(own, id);
      if (title === undefined) throw sourceNotFound();
      return { type, id, title };
    }),
  );

export const readSource = (deps: SourceDeps, { type, id }: PodcastSource, signal: AbortSignal): Promise<ReadSource> =>
  readers[type].read(deps, id, signal);
