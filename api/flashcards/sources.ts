import { limitsOf, planLimits } from "#shared/billing/rules.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure, type FailureCode, type SentText } from "#shared/contract/failure.ts";
import type { flashcards } from "#shared/flashcards/contract.ts";
import { pagesOfRange, sourceKindOf, usableTexts } from "#shared/flashcards/rules.ts";
import { errorOf, reasonOf } from "./source-errors.ts";
import type { Reason } from "#shared/messages/reasons.ts";
import type { FileProcessed } from "#shared/flashcards/schema.ts";
import type { ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { findComponent } from "#api/pages/service.ts";
import { passagesOf } from "#api/pdf/service.ts";
import { transcriptPassages } from "#api/video/service.ts";
import type { Source } from "./generation.ts";
import { saveSourceText } from "./store.ts";

type GenerationRequest = Parsed<typeof flashcards.generateCards>;

const MAX_TEXT_CHARS = 4_000_000;
const MAX_TEXT_FILE_BYTES = 12_000_000;
/** Failures that refuse one document but not the other sources. */
const UNREADABLE: ReadonlySet<FailureCode> = new Set(["invalid_pdf", "invalid_file", "timed_out", "too_large"]);

interface Gathered {
  sources: Source[];
  refused: FileProcessed[];
}

/** One source: readable, or refused with the reason. */
type Found = { source: Source; text?: string } | { refused: FileProcessed };

const refuse = (source: string, reasons: readonly Reason[], openPlanModal = false): Found => ({
  refused: { source, success: false, ...errorOf(reasons), openPlanModal },
});

/**
 * Checks every requested source: unknown ids fail the request, unreadable ones are recorded. Fails before any work
 * starts if none is readable.
 */
export async function gatherSources(
  ctx: UserCtx,
  input: GenerationRequest,
  files: readonly ReceivedFile[],
  key: string,
): Promise<Gathered> {
  const found = [
    ...(await findPdfs(ctx, input.pdfComponents)),
    ...(await findVideos(ctx, input.videoComponents)),
    ...(await findTextFiles(files, key)),
    ...findTexts(input.texts, key),
  ];
  const sources = found.flatMap((f) => ("source" in f ? [f.source] : []));
  const refused = found.flatMap((f) => ("refused" in f ? [f.refused] : []));
  if (found.length === 0) throw new Failure("bad_input", "no_source");
  if (sources.length === 0) throw refusalOf(ctx, refused);
  await keepTexts(ctx, found, key);
  return { sources, refused };
}

/** The failure when every source was refused: the single reason as its message, several reasons in its data. */
function refusalOf({ caller, clock }: UserCtx, filesProcessed: FileProcessed[]): Failure {
  const limited = filesProcessed.find((f) => f.openPlanModal);
  if (limited) {
    const limit = limitsOf(caller.plan, clock.now()).pdfToFlashcardsPages;
    const data = { limit: "pdfToFlashcardsPages", allowed: limit, filesProcessed };
    return new Failure("limit_reached", whyOf(limited), undefined, data);
  }
  const only = filesProcessed.length === 1 ? filesProcessed[0] : undefined;
  return new Failure("bad_input", whyOf(only), undefined, { filesProcessed });
}

/** Of several reasons the first is translated; the text holds them all. */
function whyOf(file: FileProcessed | undefined): Reason | SentText {
  const [first] = file?.reasons ?? [];
  return file?.error && first ? { ...first, message: file.error } : { reason: "no_cards_made" };
}

async function keepTexts({ own, clock }: UserCtx, found: readonly Found[], key: string): Promise<void> {
  const texts = found.flatMap((f) =>
    "source" in f && f.source.kind === "text" ? [{ ...f.source, text: f.text ?? "" }] : [],
  );
  if (texts.reduce((sum, { text }) => sum + text.length, 0) > MAX_TEXT_CHARS)
    throw new Failure("too_large", "too_much_text");
  for (const { textId, text } of texts)
    await saveSourceText(own, { _id: textId, jobKey: key, text, createdAt: clock.now() });
}

async function findPdfs(ctx: UserCtx, asked: GenerationRequest["pdfComponents"]): Promise<Found[]> {
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).pdfToFlashcardsPages;
  const found: Found[] = [];
  let pagesLeft = limit;
  for (const wanted of asked) {
    const pdf = await findPdf(ctx, wanted);
    const pages = "source" in pdf && pdf.source.kind === "pdf" ? pdf.source.to - pdf.source.from + 1 : 0;
    if (pages > pagesLeft && "source" in pdf) {
      found.push(refuse(pdf.source.name, [pageLimit(limit)], true));
      continue;
    }
    pagesLeft -= pages;
    found.push(pdf);
  }
  return found;
}

function pageLimit(limit: number): Reason {
  const most = planLimits.ULTIMATE.pdfToFlashcardsPages;
  return limit < most
    ? { reason: "pdf_page_limit_upgrade", params: { limit, most } }
    : { reason: "pdf_page_limit", params: { limit } };
}

async function findPdf(ctx: UserCtx, wanted: GenerationRequest["pdfComponents"][number]): Promise<Found> {
  const component = await findComponent(ctx.own, wanted.componentId);
  if (component?.type !== "image") throw new Failure("not_found", "no_pdf");
  const { id: fileId, name } = component.content.file;
  try {
    // If the file is still being read, the first page is enough to know the page count.
    const { pageCount } = await passagesOf(ctx, fileId, { from: 1, to: 1 });
    const pages = pagesOfRange(wanted, pageCount);
    if (!pages) return refuse(name, [{ reason: "pdf_pages_none", params: { count: pageCount } }]);
    return { source: { kind: "pdf", name, componentId: component._id, fileId, ...pages } };
  } catch (error) {
    if (error instanceof Failure && UNREADABLE.has(error.code)) return refuse(name, [reasonOf(error)]);
    throw error;
  }
}

async function findVideos(ctx: UserCtx, asked: GenerationRequest["videoComponents"]): Promise<Found[]> {
  const found: Found[] = [];
  for (const { componentId } of asked) {
    const component = await findComponent(ctx.own, componentId);
    if (component?.type !== "video") throw new Failure("not_found", "no_video");
    found.push(await findVideo(ctx, componentId, component.content.title || component.content.file.name));
  }
  return found;
}

/** Checks that a video has a transcript, so that a missing one is reported before any work starts. */
async function findVideo(ctx: UserCtx, componentId: string, name: string): Promise<Found> {
  try {
    await transcriptPassages(ctx, componentId);
    return { source: { kind: "video", name, componentId } };
  } catch (error) {
    if (error instanceof Failure && error.code === "no_transcript")
      return refuse(name, [reasonOf(error), { reason: "video_add_captions" }]);
    throw error;
  }
}

function findTexts(texts: GenerationRequest["texts"], key: string): Found[] {
  return usableTexts(texts).map(({ text, place }, i) => ({
    source: { kind: "text", name: firstWords(text), textId: `${key}:text:${i}`, place },
    text,
  }));
}

function firstWords(text: string): string {
  const line =
    text
      .slice(0, 200)
      .split(/[\r\n]/)[0]
      ?.trim() ?? "";
  return line.length <= 60 ? line : `${line.slice(0, Math.max(line.lastIndexOf(" ", 60), 20))}…`;
}

async function findTextFiles(files: readonly ReceivedFile[], key: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const [i, file] of files.entries()) {
    const kind = sourceKindOf(file.name, file.type);
    const text = kind === "text" ? await readText(file) : "";
    if (kind === "image") found.push(refuse(file.name, [{ reason: "images_unread" }]));
    else if (kind === "other") found.push(refuse(file.name, [{ reason: "only_text_files" }]));
    else if (text === undefined) found.push(refuse(file.name, [{ reason: "file_not_text" }]));
    else if (text.trim() === "") found.push(refuse(file.name, [{ reason: "source_empty" }]));
    else found.push({ source: { kind: "text", name: file.name, textId: `${key}:file:${i}`, place: null }, text });
  }
  return found;
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252; undefined for binary content. */
async function readText(file: ReceivedFile): Promise<string | undefined> {
  if (file.sizeBytes > MAX_TEXT_FILE_BYTES) throw new Failure("too_large", "too_much_text");
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece as Uint8Array);
  const bytes = Buffer.concat(pieces);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
