import { readByteOrderMark } from "#api/outside/page-encoding.ts";
import { limitsOf, planLimits } from "#shared/billing/rules.ts";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure, type FailureCode, type SentText } from "#shared/contract/failure.ts";
import type { flashcards } from "#shared/flashcards/contract.ts";
import { clipPageRange, usableTexts } from "#shared/flashcards/rules.ts";
import { sourceKindOf } from "#shared/flashcards/source-kind.ts";
import { errorOf, reasonOf } from "./source-errors.ts";
import type { Reason } from "#shared/messages/reasons.ts";
import type { FileProcessed } from "#shared/flashcards/schema.ts";
import type { ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { readFilePassages, recognisePicture } from "#api/pdf/service.ts";
import { readTranscriptPassages } from "#api/video/service.ts";
import type { Source } from "./generation.ts";
import { saveSourceText } from "./store.ts";

type GenerationRequest = Parsed<typeof flashcards.generateCards>;

const MAX_TEXT_CHARS = 4_000_000;
const MAX_TEXT_FILE_BYTES = 12_000_000;
/** Failures that refuse one document but not the other sources. */
const UNREADABLE_CODES: ReadonlySet<FailureCode> = new Set(["invalid_pdf", "invalid_file", "timed_out", "too_large"]);

interface GatheredSources {
  sources: Source[];
  refused: FileProcessed[];
}

/** One source: readable, or refused with the reason. */
type CheckedSource = { source: Source; text?: string } | { refused: FileProcessed; missing?: "no_pdf" | "no_video" };

const refusedSource = (source: string, reasons: readonly Reason[], openPlanModal = false) => ({
  refused: { source, success: false, ...errorOf(reasons), openPlanModal },
});

/** Refuses one id that does not exist or belongs to another account. The other sources are still read. */
const missingSource = (id: string, missing: "no_pdf" | "no_video"): CheckedSource => ({
  ...refusedSource(id, [{ reason: missing }]),
  missing,
});

/** Checks every requested source and records those that are refused. Fails before any work starts if none is left. */
export async function gatherSources(
  ctx: UserCtx,
  input: GenerationRequest,
  files: readonly ReceivedFile[],
  key: string,
): Promise<GatheredSources> {
  const found = [
    ...(await findPdfs(ctx, input.pdfComponents)),
    ...(await findVideos(ctx, input.videoComponents)),
    ...(await findFiles(ctx, files, key)),
    ...findTexts(input.texts, key),
  ];
  const sources = found.flatMap((item) => ("source" in item ? [item.source] : []));
  const refused = found.flatMap((item) => ("refused" in item ? [item.refused] : []));
  if (found.length === 0) throw new Failure("bad_input", "no_source");
  const missing = found.flatMap((item) => ("missing" in item ? (item.missing ?? []) : []))[0];
  if (sources.length === 0 && missing) throw new Failure("not_found", missing);
  if (sources.length === 0) throw toFailure(ctx, refused);
  await saveTexts(ctx, found, key);
  return { sources, refused };
}

/** The failure when every source was refused: the single reason as its message, several reasons in its data. */
function toFailure({ caller, clock }: UserCtx, filesProcessed: FileProcessed[]): Failure {
  const limited = filesProcessed.find((item) => item.openPlanModal);
  if (limited) {
    const limit = limitsOf(caller.plan, clock.now()).pdfToFlashcardsPages;
    const data = { limit: "pdfToFlashcardsPages", allowed: limit, filesProcessed };
    return new Failure("limit_reached", findReason(limited), undefined, data);
  }
  const singleReason = filesProcessed.length === 1 ? filesProcessed[0] : undefined;
  return new Failure("bad_input", findReason(singleReason), undefined, { filesProcessed });
}

/** Returns the first reason of a file, with the English text of all its reasons. */
function findReason(file: FileProcessed | undefined): Reason | SentText {
  const [first] = file?.reasons ?? [];
  return file?.error && first ? { ...first, message: file.error } : { reason: "no_cards_made" };
}

async function saveTexts({ own, clock }: UserCtx, found: readonly CheckedSource[], key: string): Promise<void> {
  const texts = found.flatMap((item) =>
    "source" in item && item.source.kind === "text" ? [{ ...item.source, text: item.text ?? "" }] : [],
  );
  if (texts.reduce((sum, { text }) => sum + text.length, 0) > MAX_TEXT_CHARS)
    throw new Failure("too_large", "too_much_text");
  for (const { textId, text } of texts)
    await saveSourceText(own, { _id: textId, jobKey: key, text, createdAt: clock.now() });
}

async function findPdfs(ctx: UserCtx, requested: GenerationRequest["pdfComponents"]): Promise<CheckedSource[]> {
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).pdfToFlashcardsPages;
  const found: CheckedSource[] = [];
  let pagesLeft = limit;
  for (const request of requested) {
    const pdf = await findPdf(ctx, request);
    const pages = "source" in pdf && pdf.source.kind === "pdf" ? pdf.source.to - pdf.source.from + 1 : 0;
    if (pages > pagesLeft && "source" in pdf) {
      found.push(refusedSource(pdf.source.name, [pageLimitReason(limit)], true));
      continue;
    }
    pagesLeft -= pages;
    found.push(pdf);
  }
  return found;
}

function pageLimitReason(limit: number): Reason {
  const most = planLimits.ULTIMATE.pdfToFlashcardsPages;
  return limit < most
    ? { reason: "pdf_page_limit_upgrade", params: { limit, most } }
    : { reason: "pdf_page_limit", params: { limit } };
}

async function findPdf(ctx: UserCtx, request: GenerationRequest["pdfComponents"][number]): Promise<CheckedSource> {
  const component = await findComponent(ctx.own, request.componentId);
  if (component?.type !== "image") return missingSource(request.componentId, "no_pdf");
  const { id: fileId, name } = component.content.file;
  try {
    // If the file is still being read, the first page is enough to know the page count.
    const { pageCount } = await readFilePassages(ctx, fileId, { from: 1, to: 1 });
    const pages = clipPageRange(request, pageCount);
    if (!pages) return refusedSource(name, [{ reason: "pdf_pages_none", params: { count: pageCount } }]);
    return { source: { kind: "pdf", name, componentId: component._id, fileId, ...pages } };
  } catch (error) {
    if (error instanceof Failure && UNREADABLE_CODES.has(error.code)) return refusedSource(name, [reasonOf(error)]);
    throw error;
  }
}

async function findVideos(ctx: UserCtx, requested: GenerationRequest["videoComponents"]): Promise<CheckedSource[]> {
  const found: CheckedSource[] = [];
  for (const { componentId } of requested) {
    const component = await findComponent(ctx.own, componentId);
    if (component?.type !== "video") {
      found.push(missingSource(componentId, "no_video"));
      continue;
    }
    found.push(await findVideo(ctx, componentId, component.content.title || component.content.file.name));
  }
  return found;
}

/** Checks that a video has a transcript, so that a missing one is reported before any work starts. */
async function findVideo(ctx: UserCtx, componentId: string, name: string): Promise<CheckedSource> {
  try {
    await readTranscriptPassages(ctx, componentId);
    return { source: { kind: "video", name, componentId } };
  } catch (error) {
    if (error instanceof Failure && error.code === "no_transcript")
      return refusedSource(name, [reasonOf(error), { reason: "video_add_captions" }]);
    throw error;
  }
}

function findTexts(texts: GenerationRequest["texts"], key: string): CheckedSource[] {
  return usableTexts(texts).map(({ text, location: place }, i) => ({
    source: { kind: "text", name: titleFromText(text), textId: `${key}:text:${i}`, place },
    text,
  }));
}

function titleFromText(text: string): string {
  const line =
    text
      .slice(0, 200)
      .split(/[\r\n]/)[0]
      ?.trim() ?? "";
  return line.length <= 60 ? line : `${line.slice(0, Math.max(line.lastIndexOf(" ", 60), 20))}…`;
}

/** Attached files: the text of text files, and the text recognised in pictures. */
async function findFiles(ctx: UserCtx, files: readonly ReceivedFile[], key: string): Promise<CheckedSource[]> {
  const { ownerId } = ctx.own;
  const hasPictures = files.some((file) => sourceKindOf(file.name, file.type) === "image");
  if (!hasPictures) return readFiles(ctx, files, key);
  if (ownersWithPictures.has(ownerId)) throw new Failure("too_many_requests", "too_many_decks", { count: 1 });
  ownersWithPictures.add(ownerId);
  try {
    return await readFiles(ctx, files, key);
  } finally {
    ownersWithPictures.delete(ownerId);
  }
}

/** Text recognition has few slots for everybody, so each account reads the pictures of one request at a time. */
const ownersWithPictures = new Set<string>();

async function readFiles(ctx: UserCtx, files: readonly ReceivedFile[], key: string): Promise<CheckedSource[]> {
  const found: CheckedSource[] = [];
  // A picture counts like a page.
  const limit = limitsOf(ctx.caller.plan, ctx.clock.now()).pdfToFlashcardsPages;
  let pictures = 0;
  for (const [i, file] of files.entries()) {
    const kind = sourceKindOf(file.name, file.type);
    if (kind === "image") pictures += 1;
    if (kind === "other") found.push(refusedSource(file.name, [{ reason: "only_text_files" }]));
    else if (pictures > limit) found.push(refusedSource(file.name, [pageLimitReason(limit)], true));
    else {
      const text = kind === "image" ? await readPicture(ctx, file) : await readTextFile(file);
      if (typeof text !== "string") found.push(refusedSource(file.name, [text]));
      else found.push({ source: { kind: "text", name: file.name, textId: `${key}:file:${i}`, place: null }, text });
    }
  }
  return found;
}

async function readTextFile(file: ReceivedFile): Promise<string | Reason> {
  const text = await decodeTextFile(file);
  if (text === undefined) return { reason: "file_not_text" };
  return text.trim() === "" ? { reason: "source_empty" } : text;
}

/** The recognised text as Markdown, so that its headings stay headings. */
async function readPicture({ signal }: UserCtx, file: ReceivedFile): Promise<string | Reason> {
  try {
    const passages = await recognisePicture(await file.path(), signal);
    const text = passages.map(({ kind, level, text: line }) =>
      kind === "heading" ? `${"#".repeat(level ?? 1)} ${line}` : line,
    );
    return text.join("").trim() === "" ? { reason: "images_unread" } : text.join("\n\n");
  } catch (error) {
    if (error instanceof Failure && UNREADABLE_CODES.has(error.code)) return reasonOf(error);
    throw error;
  }
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252; undefined for binary content. */
async function decodeTextFile(file: ReceivedFile): Promise<string | undefined> {
  if (file.sizeBytes > MAX_TEXT_FILE_BYTES) throw new Failure("too_large", "too_much_text");
  const pieces: Uint8Array[] = [];
  for await (const piece of file.open()) pieces.push(piece as Uint8Array);
  const bytes = Buffer.concat(pieces);
  const encoding = readByteOrderMark(bytes);
  if (encoding?.startsWith("utf-16") === true) return new TextDecoder(encoding).decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
