import { createHash } from "node:crypto";
import { flashcardCitation, pageCitation, pdfCitation, videoCitation } from "#shared/citations.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { statementOfCard } from "#shared/flashcards/fill-blanks.ts";
import { readTable } from "#shared/pages/document.ts";
import { plainText } from "#shared/pages/runs.ts";
import { tableToText } from "#shared/pages/tables.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Passage, PassageKind } from "#shared/pdf/schema.ts";
import type { IndexedPassage } from "#api/store/search/port.ts";
import { listRecognisedFiles } from "#api/blobs/file-records.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listComponents, listSourcePages } from "#api/pages/sources.ts";
import { readFilePassages, type FileReadDeps } from "#api/pdf/service.ts";
import type { Deps } from "#api/http/handler.ts";
import { readTranscriptPassages } from "#api/video/service.ts";
import { readTranscriptRevisions } from "#api/video/store.ts";

/** Raise these when reading or splitting changes, so that every source is indexed again. */
const READING_VERSION = "r2";
const FILE_READING_VERSION = "r2";
/** Passages are shown whole beside an answer, so longer ones are split at sentences. */
const MAX_PASSAGE = 1500;
const MAX_PASSAGES = 60_000;

/** An indexable source: the text of a page, a deck, a file or a video. */
export interface Source {
  id: string;
  version: string;
  kind: "page" | "deck" | "file" | "video";
  title: string;
  pageId: string;
  /** The deck, file or video; for a page source the page's id. */
  componentId: string;
  fileId: string | null;
  /** Last edit, epoch ms. */
  changedAt: number;
}

const TEXT_TYPES = new Set(["text", "code_block", "equation"]);

/** Dependencies for reading any source. */
export type SourceReader = FileReadDeps & Pick<Deps, "settings">;

/** Dependencies for reading, indexing and embedding sources. */
export type SourceIndexDeps = SourceReader & Pick<Deps, "index" | "models">;

/** Lists everything indexable in the account, latest change first. */
export async function listSources(own: Own): Promise<Source[]> {
  const [pages, recognised, transcripts] = await Promise.all([
    listSourcePages(own),
    listRecognisedFiles(own),
    readTranscriptRevisions(own),
  ]);
  const textVersions = new Map(recognised.map((file) => [file._id, `.${file.textRecognisedAt}`]));
  return pages.flatMap(({ pageId, title, lastUpdated, parts }) => {
    const written = parts.filter((part) => TEXT_TYPES.has(part.type)).map((part) => `${part._id}.${part.version}`);
    const hash = createHash("sha256").update(written.join()).digest("base64url").slice(0, 22);
    const page: Source[] =
      written.length === 0
        ? []
        : [
            {
              id: `page:${pageId}`,
              version: `${READING_VERSION}.${hash}`,
              kind: "page",
              title,
              pageId,
              componentId: pageId,
              fileId: null,
              changedAt: lastUpdated,
            },
          ];
    const componentSources = parts.flatMap((part): Source[] => {
      const { fileId, modifiedAt: changedAt } = part;
      const base = { title: part.title || title, pageId, componentId: part._id, fileId, changedAt };
      if (part.type === "flash_cards")
        return [{ ...base, id: `deck:${part._id}`, version: `${READING_VERSION}.${part.version}`, kind: "deck" }];
      if (part.type === "video")
        return [
          {
            ...base,
            id: `video:${part._id}`,
            version: `${READING_VERSION}${transcripts.get(part._id) ?? ""}`,
            kind: "video",
          },
        ];
      if (part.type !== "image" || part.fileId === null) return [];
      return [
        {
          ...base,
          id: `file:${part._id}`,
          version: `${FILE_READING_VERSION}.${part.fileId}${textVersions.get(part.fileId) ?? ""}`,
          kind: "file",
        },
      ];
    });
    return [...page, ...componentSources];
  });
}

/** A video whose transcript would have to be fetched from its site. */
export const isUnfetchedVideo = ({ kind, version }: Source) => kind === "video" && version === READING_VERSION;

const SHOWN_KINDS = new Set<PassageKind>(["paragraph", "list_item", "table_row", "caption", "footnote", "code"]);

/** Reads a source as citable passages. Throws the reader's error if the source cannot be read. */
export async function readSourcePassages(reader: SourceReader, source: Source): Promise<IndexedPassage[]> {
  switch (source.kind) {
    case "page":
      return toPagePassages(await listComponents(reader.own, source.pageId)).slice(0, MAX_PASSAGES);
    case "deck":
      return toDeckPassages(await findComponent(reader.own, source.componentId));
    case "file": {
      const { passages } = await readFilePassages(reader, source.fileId ?? "");
      return toFilePassages(passages, source.componentId).slice(0, MAX_PASSAGES);
    }
    case "video": {
      const transcripts = await readTranscriptPassages(reader, source.componentId);
      return toFilePassages(transcripts, source.componentId).slice(0, MAX_PASSAGES);
    }
    default:
      return source.kind satisfies never;
  }
}

/** Splits a text at sentence ends; an overlong sentence is split at a space. */
export function splitText(text: string): string[] {
  if (text.length <= MAX_PASSAGE) return text.trim() === "" ? [] : [text];
  const pieces: string[] = [];
  let piece = "";
  const close = () => {
    if (piece.trim() !== "") pieces.push(piece.trim());
    piece = "";
  };
  for (const { text: sentence } of splitSentences(text)) {
    if (piece.length + sentence.length > MAX_PASSAGE) close();
    let rest = sentence;
    while (rest.length > MAX_PASSAGE) {
      const space = rest.lastIndexOf(" ", MAX_PASSAGE);
      const to = space > MAX_PASSAGE / 2 ? space : MAX_PASSAGE;
      pieces.push(rest.slice(0, to).trim());
      rest = rest.slice(to);
    }
    piece += `${piece === "" ? "" : " "}${rest}`;
  }
  close();
  return pieces;
}

/** Only the two outermost levels of headings begin sections; deeper headings belong to the section around them. */
const MAX_SECTION_DEPTH = 2;

/** The section of each passage, as the index of its heading; unlike locators, sections continue over page breaks. */
export function findSections(passages: readonly Passage[]): (number | undefined)[] {
  const open: { level: number; headingIndex: number }[] = [];
  return passages.map(({ kind, level = 6 }, index) => {
    if (kind === "heading") {
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      open.push({ level, headingIndex: index });
    }
    return open[Math.min(open.length, MAX_SECTION_DEPTH) - 1]?.headingIndex;
  });
}

function toFilePassages(passages: readonly Passage[], componentId: string): IndexedPassage[] {
  const sections = findSections(passages);
  return passages.flatMap(({ id, text, kind, locator }, passageIndex) => {
    if (!SHOWN_KINDS.has(kind)) return [];
    const section = sections[passageIndex];
    return splitText(text).map((piece, index) => ({
      id: index === 0 ? id : `${id}+${index}`,
      text: piece,
      kind,
      locator,
      componentId,
      ...(section === undefined ? {} : { section }),
    }));
  });
}

const blockKinds: Partial<Record<string, PassageKind>> = {
  list_ordered: "list_item",
  list_unordered: "list_item",
  list_checkbox_checked: "list_item",
  list_checkbox_unchecked: "list_item",
};

function textOf(component: Component): { text: string; kind: PassageKind } | undefined {
  if (component.type === "text") {
    const table = readTable(component.content);
    if (table) return { text: tableToText(table), kind: "table_row" };
    const { text, subType } = component.content;
    const kind = subType.startsWith("heading") ? "heading" : (blockKinds[subType] ?? "paragraph");
    return { text: plainText(text), kind };
  }
  if (component.type === "code_block") return { text: component.content.code, kind: "code" };
  return component.type === "equation" ? { text: component.content.latex, kind: "code" } : undefined;
}

function toPagePassages(components: readonly Component[]): IndexedPassage[] {
  const passages: IndexedPassage[] = [];
  let heading: string | undefined;
  for (const component of components) {
    const written = textOf(component);
    if (!written) continue;
    const { text, kind } = written;
    if (kind === "heading") heading = text.trim() || undefined;
    const locator = heading === undefined || kind === "heading" ? {} : { heading };
    for (const [index, piece] of splitText(text).entries())
      passages.push({ id: `${component._id}+${index}`, text: piece, kind, locator, componentId: component._id });
  }
  return passages;
}

function toDeckPassages(deck: Component | undefined): IndexedPassage[] {
  if (deck?.type !== "flash_cards") return [];
  return deck.content.cards.flatMap(({ id, question, answer }): IndexedPassage[] => {
    const text = statementOfCard({ question: question.slice(0, 700), answer: answer.slice(0, 700) });
    return text === undefined ? [] : [{ id, text, kind: "paragraph", locator: {}, componentId: deck._id }];
  });
}

/** Builds the citation for a quote in a passage. */
export function citePassage(source: Source, { componentId, locator }: IndexedPassage, quote: string): string {
  switch (source.kind) {
    case "page":
      return pageCitation(source.pageId, componentId, quote);
    case "deck":
      return flashcardCitation(source.componentId, quote);
    case "file":
      return pdfCitation(source.componentId, locator.page ?? 1, quote);
    case "video":
      return videoCitation(source.componentId, locator.startMs ?? 0, locator.endMs ?? locator.startMs ?? 0, quote);
    default:
      return source.kind satisfies never;
  }
}
