import { ulid } from "ulid";
import { centralSentences } from "#shared/text/summary.ts";
import { Failure } from "#shared/contract/failure.ts";
import { sectionsOfKind } from "#shared/website/rules.ts";
import type { SectionKind, SiteDocument, SiteItem, SiteKind, SiteSection } from "#shared/website/schema.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Deps } from "#api/http/handler.ts";
import type { SourceReader } from "#api/library/sources.ts";
import { emptyDocument } from "../templates.ts";
import { collectCards, type SiteCard, toFlashcards, toGlossary, toPassage, toQuiz } from "./cards.ts";
import { citeLine, itemId, type LoadedSource, readSiteSources } from "./read-sources.ts";
import { makeTimeline } from "./timeline.ts";

export interface MakeContext extends SourceReader, Pick<Deps, "models"> {
  signal: AbortSignal;
  language(): Language;
}

const titles: Readonly<Record<Language, Readonly<Record<SectionKind, string>>>> = {
  en: {
    summary: "Summary",
    flashcards: "Cards",
    quiz: "Quiz",
    glossary: "Glossary",
    timeline: "Timeline",
    pages: "Notes",
    sources: "Sources",
  },
  de: {
    summary: "Zusammenfassung",
    flashcards: "Karten",
    quiz: "Quiz",
    glossary: "Glossar",
    timeline: "Zeitleiste",
    pages: "Notizen",
    sources: "Quellen",
  },
};

const SENTENCES_PER_SOURCE = 12;
const MAX_ITEMS = 1000;

function makeSummary(sources: readonly LoadedSource[]): SiteItem[] {
  return sources.flatMap(({ source, passages, cards }) => {
    // Cards are not sentences of a text.
    if (cards.length > 0) return [];
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    return centralSentences(passages.map(toPassage), SENTENCES_PER_SOURCE).flatMap(({ text, passageId }) => {
      const passage = byId.get(passageId);
      return passage ? [{ ...citeLine(source, passage, text), text }] : [];
    });
  });
}

const blocks = { heading: "heading", list_item: "list_item", code: "code" } as const;

function makePages(sources: readonly LoadedSource[]): SiteItem[] {
  return sources
    .filter(({ cards }) => cards.length === 0)
    .flatMap(({ source, passages }) => {
      const written = passages.filter(({ text }) => text.trim() !== "");
      const [first] = written;
      if (!first) return [];
      // A title is in no passage: its citation opens the source at its beginning.
      const citation = citeLine(source, first, first.text);
      const title: SiteItem = { ...citation, id: itemId(source.id), text: source.title, block: "heading" };
      const lines = written.map((passage): SiteItem => {
        const block = Object.hasOwn(blocks, passage.kind) ? blocks[passage.kind as keyof typeof blocks] : "paragraph";
        return { ...citeLine(source, passage, passage.text), text: passage.text, block };
      });
      return [title, ...lines];
    });
}

const makeSources = (sources: readonly LoadedSource[]): SiteItem[] =>
  sources.map(({ source }) => ({
    id: itemId("source", source.id),
    citation: null,
    label: "",
    source: source.title,
    text: source.title,
  }));

interface Material {
  sources: readonly LoadedSource[];
  /** Made on first use, because only some sections need cards. */
  cards: () => Promise<readonly SiteCard[]>;
}

async function makeItems(kind: SectionKind, { sources, cards }: Material): Promise<SiteItem[]> {
  switch (kind) {
    case "summary":
      return makeSummary(sources);
    case "flashcards":
      return toFlashcards(await cards());
    case "quiz":
      return toQuiz(await cards());
    case "glossary":
      return toGlossary(await cards());
    case "timeline":
      return makeTimeline(sources);
    case "pages":
      return makePages(sources);
    case "sources":
      return makeSources(sources);
    default:
      return kind satisfies never;
  }
}

async function collectMaterial(ctx: MakeContext, sourceIds: readonly string[]): Promise<Material> {
  const sources = await readSiteSources(ctx, sourceIds);
  let cards: Promise<readonly SiteCard[]> | undefined;
  const getCards = () => {
    cards ??= collectCards(ctx.models, sources, ctx.signal);
    return cards;
  };
  return { sources, cards: getCards };
}

async function makeOneSection(kind: SectionKind, material: Material, language: Language): Promise<SiteSection> {
  const items = await makeItems(kind, material);
  return {
    id: `${kind}-${ulid().slice(-6).toLowerCase()}`,
    kind,
    title: titles[language][kind],
    sourceIds: material.sources.map(({ source }) => source.id),
    items: items.slice(0, MAX_ITEMS),
  };
}

/** Makes one section from the chosen sources. */
export async function makeSection(
  ctx: MakeContext,
  kind: SectionKind,
  sourceIds: readonly string[],
): Promise<SiteSection> {
  const section = await makeOneSection(kind, await collectMaterial(ctx, sourceIds), ctx.language());
  if (section.items.length === 0) throw new Failure("bad_input", "site_section_empty");
  return section;
}

interface DocumentRequest {
  kind: SiteKind;
  title: string;
  sourceIds: readonly string[];
}

/** Makes the document of a whole site; a section for which the sources have no content is left out. */
export async function makeDocument(
  ctx: MakeContext,
  { kind, title, sourceIds }: DocumentRequest,
): Promise<SiteDocument> {
  const material = await collectMaterial(ctx, sourceIds);
  const kinds = sectionsOfKind[kind];
  // Start the engine now, because it has its own thread and can work while the sections without cards are made.
  if (kinds.includes("flashcards")) material.cards().catch(() => undefined);
  const sections: SiteSection[] = [];
  for (const sectionKind of kinds) {
    const section = await makeOneSection(sectionKind, material, ctx.language());
    if (section.items.length > 0) sections.push(section);
  }
  if (sections.every((section) => section.kind === "sources")) throw new Failure("bad_input", "site_sources_empty");
  const titleOfSources = material.sources[0]?.source.title ?? "";
  return {
    ...emptyDocument((title || titleOfSources || "Untitled").slice(0, 120)),
    kind,
    language: ctx.language(),
    sections,
  };
}
