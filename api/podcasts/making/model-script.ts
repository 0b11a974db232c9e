import { hash } from "node:crypto";
import { z } from "zod";
import { Failure } from "#shared/contract/failure.ts";
import {
  assembleChapter,
  findLineFault,
  type ProposedLine,
  replaceLine,
  sentenceOf,
} from "#shared/podcasts/script/dialogue.ts";
import type { ChapterMaterial, ScriptLine, ScriptOptions } from "#shared/podcasts/script/script-line.ts";
import { announceChapter, announceContents, closingLine } from "#shared/podcasts/script/host/host-lines.ts";
import type { Script } from "#shared/podcasts/script/write-script.ts";
import type { Model } from "#api/ai/port.ts";
import { writeObjects } from "#api/ai/openai/write-objects.ts";
import {
  buildDialoguePrompt,
  buildLineRepairPrompt,
  buildOutlinePrompt,
  DialogueLine,
  OutlinedChapter,
  RepairedLine,
} from "#api/ai/prompts/podcast.ts";

const OUTLINE_SENTENCES = 4;
/** For the title and the aim of a chapter. */
const TOKENS_PER_CHAPTER = 120;
/** For a repaired line: a sentence of up to 60 words with its number. */
const TOKENS_PER_LINE = 120;
const TOKENS_PER_WORD = 4;
const MAX_LINES = 80;
const MS_PER_WORD = 400;
/** After this time, the remaining chapters are extractive, so that a slow model leaves time to speak the episode. */
const WRITING_LIMIT_MS = 10 * 60_000;

interface DialogueRequest {
  model: Model;
  ownerId: string;
  options: ScriptOptions;
  signal: AbortSignal;
  onChapter: (done: number) => Promise<void>;
  /** Where an interrupted run left off. */
  checkpoint: unknown;
  /** Stores a checkpoint after each answer of the model, so that no answer is paid for twice. */
  onCheckpoint: (checkpoint: WritingCheckpoint) => Promise<void>;
}

const Outlined = z.object({ title: z.string(), aim: z.string() });
type Outlined = z.infer<typeof Outlined>;

const VerifiedLine = z.object({ speaker: z.enum(["host", "guest"]), text: z.string(), id: z.string().optional() });

const WritingCheckpoint = z.object({
  /** Hash of what the model writes from. */
  material: z.string(),
  outline: z.array(Outlined),
  /** Verified lines of the chapters written so far; none for a chapter whose lines stay extractive. */
  dialogues: z.array(z.array(VerifiedLine)),
});
type WritingCheckpoint = z.infer<typeof WritingCheckpoint>;

type StoredDialogues = Pick<WritingCheckpoint, "dialogues"> & { outline: Outlined[] | undefined };

/** The answers that an interrupted run got, if it wrote from the same material. */
function findStoredDialogues(checkpoint: unknown, material: string): StoredDialogues {
  const written = WritingCheckpoint.safeParse(checkpoint).data;
  return written?.material === material ? written : { outline: undefined, dialogues: [] };
}

/** Titles and aims by a model; a chapter without a usable title keeps its heading. */
async function writeOutline(
  { model, ownerId, options, signal }: DialogueRequest,
  material: readonly ChapterMaterial[],
): Promise<Outlined[]> {
  const outlined = material.map(({ title }): Outlined => ({ title, aim: "" }));
  const chapters = material.map(({ title, sentences }, index) => ({
    chapter: index + 1,
    title,
    sentences: sentences.slice(0, OUTLINE_SENTENCES).map(({ sentence }) => sentence),
  }));
  const objects = writeObjects(model, {
    ...buildOutlinePrompt(chapters),
    schema: OutlinedChapter,
    maxObjects: chapters.length,
    maxTokens: chapters.length * TOKENS_PER_CHAPTER + 100,
    ownerId,
    signal,
  });
  const speakers = [options.hostName, options.guestName];
  for await (const { chapter, title, aim } of objects) {
    const chapterMaterial = material[chapter - 1];
    // Titles follow the rules for questions of the host.
    const isUsable =
      chapterMaterial && findLineFault({ speaker: "host", text: `${title}?` }, chapterMaterial, speakers) === undefined;
    if (isUsable) outlined[chapter - 1] = { title: title.replace(/[.:]+$/u, ""), aim };
  }
  return outlined;
}

/**
 * Returns lines that their sentences support. A faulty line is repaired once; if it is still faulty, the sentence
 * itself replaces it, or the line is left out.
 */
async function verifyLines(
  { model, ownerId, options, signal }: DialogueRequest,
  material: ChapterMaterial,
  proposed: readonly ProposedLine[],
): Promise<ProposedLine[]> {
  const speakers = [options.hostName, options.guestName];
  const faulty = proposed.flatMap((line, index) => {
    const fault = findLineFault(line, material, speakers);
    const sentence = line.speaker === "guest" ? sentenceOf(material, line.id)?.sentence : undefined;
    return fault === undefined || sentence === undefined ? [] : [{ line: index + 1, text: line.text, fault, sentence }];
  });
  const repaired = new Map<number, string>();
  if (faulty.length > 0) {
    const objects = writeObjects(model, {
      ...buildLineRepairPrompt(faulty),
      schema: RepairedLine,
      maxObjects: faulty.length,
      maxTokens: faulty.length * TOKENS_PER_LINE + 100,
      ownerId,
      signal,
    });
    for await (const { line, text } of objects) repaired.set(line - 1, text);
  }
  const verified: ProposedLine[] = [];
  for (const [index, line] of proposed.entries()) {
    const text = repaired.get(index);
    const candidates = [line, ...(text === undefined ? [] : [{ ...line, text }])];
    const valid = candidates.find((candidate) => findLineFault(candidate, material, speakers) === undefined);
    const used = valid ?? replaceLine(line, material, verified);
    if (used) verified.push(used);
  }
  return verified;
}

async function writeDialogue(writing: DialogueRequest, material: ChapterMaterial, aim: string, targetMs: number) {
  const { model, ownerId, options, signal } = writing;
  const words = Math.round(targetMs / MS_PER_WORD);
  const { hostName: host, guestName: guest } = options;
  const sentences = material.sentences.map(({ sentence }) => sentence);
  const objects = writeObjects(model, {
    ...buildDialoguePrompt({ title: material.title, aim, host, guest, words, sentences }),
    schema: DialogueLine,
    maxObjects: MAX_LINES,
    maxTokens: words * TOKENS_PER_WORD + 400,
    ownerId,
    signal,
  });
  const proposed: ProposedLine[] = [];
  for await (const line of objects) proposed.push(line);
  return verifyLines(writing, material, proposed);
}

/** Changes the title in the lines before a chapter; the last of these lines announces the chapter. */
function retitle(opening: readonly ScriptLine[], index: number, title: string): ScriptLine[] {
  const announcement = announceChapter(index, title);
  return opening.map((line, position) => (position === opening.length - 1 ? { ...line, ...announcement } : line));
}

export interface ModelScript {
  script: Script;
  /** Whether the script contains a line by the model. */
  isByModel: boolean;
}

/** The calls to the model for one episode, until `timeLimit` is aborted or one of them fails. */
class ModelCalls {
  isReachable = true;
  readonly #signal: AbortSignal;
  readonly #timeLimit: AbortSignal;

  constructor(signal: AbortSignal, timeLimit: AbortSignal) {
    this.#signal = signal;
    this.#timeLimit = timeLimit;
  }

  /** Resolves to undefined if the model fails now, or has failed before. */
  async call<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (!this.isReachable) return undefined;
    try {
      return await ask();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof Failure) && !this.#timeLimit.aborted) throw error;
      this.isReachable = false;
      return undefined;
    }
  }
}

/** The lines of a chapter, and those of them that a dialogue replaces. */
function linesOfChapter(script: Script, { openingLineCount, closingLineCount }: ChapterMaterial, index: number) {
  const all = script.lines.filter((line) => line.chapter === index);
  return { all, extractive: all.slice(openingLineCount, all.length - closingLineCount) };
}

/** The duration of lines without the silences between them, because a model is asked for a number of words. */
const speakingMs = (lines: readonly ScriptLine[], { msPerChar }: ScriptOptions): number =>
  lines.reduce((sum, { spoken, speaker }) => sum + spoken.length * msPerChar[speaker], 0);

/**
 * Writes the titles and the dialogue of each chapter with a model. For a chapter that the model did not write, no lines
 * are returned. An interrupted run continues after the last written chapter.
 */
async function askModel(
  { signal, ...request }: DialogueRequest,
  script: Script,
  material: readonly ChapterMaterial[],
): Promise<Pick<WritingCheckpoint, "outline" | "dialogues">> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WRITING_LIMIT_MS)]);
  const writing: DialogueRequest = { ...request, signal: limited };
  const calls = new ModelCalls(signal, limited);
  const materialHash = hash("sha256", JSON.stringify(material), "base64url");
  const earlier = findStoredDialogues(request.checkpoint, materialHash);
  const outline = earlier.outline ?? (await calls.call(() => writeOutline(writing, material))) ?? [];
  const dialogues = [...earlier.dialogues];
  for (const [index, chapter] of material.entries()) {
    await request.onChapter(index);
    if (index < dialogues.length) continue;
    const { title = chapter.title, aim = "" } = outline[index] ?? {};
    const targetMs = speakingMs(linesOfChapter(script, chapter, index).extractive, request.options);
    dialogues.push((await calls.call(() => writeDialogue(writing, { ...chapter, title }, aim, targetMs))) ?? []);
    if (calls.isReachable) await request.onCheckpoint({ material: materialHash, outline, dialogues });
  }
  return { outline, dialogues };
}

/** Announces the new titles instead of the earlier ones. */
function announceTitles(
  lines: ScriptLine[],
  before: readonly string[],
  titles: readonly string[],
  title: string,
): void {
  const previousText = announceContents(before)?.text;
  const contents = announceContents(titles);
  const contentsIndex = lines.findIndex(({ text }) => text === previousText);
  const line = lines[contentsIndex];
  if (line) lines.splice(contentsIndex, 1, ...(contents ? [{ ...line, ...contents }] : []));
  const last = lines.pop();
  if (last) lines.push({ ...last, ...closingLine(title, titles) });
}

/**
 * Rewrites an extractive script with a model, chapter by chapter. Where the model is missing, silent, cut off or wrong,
 * the extractive lines are kept, which also preserves the length.
 */
export async function writeWithModel(
  writing: DialogueRequest,
  script: Script,
  material: readonly ChapterMaterial[],
): Promise<ModelScript> {
  const { outline, dialogues } = await askModel(writing, script, material);
  const { options } = writing;
  const chapters = [...script.chapters];
  const lines: ScriptLine[] = [];
  let isByModel = false;
  for (const [index, chapter] of material.entries()) {
    const { all, extractive } = linesOfChapter(script, chapter, index);
    const proposed = dialogues[index] ?? [];
    if (!proposed.some(({ speaker }) => speaker === "guest")) {
      lines.push(...all);
      continue;
    }
    isByModel = true;
    const title = outline[index]?.title ?? chapter.title;
    chapters[index] = { title };
    const body = assembleChapter({ index, material: chapter, extractive }, proposed, options);
    lines.push(
      ...retitle(all.slice(0, chapter.openingLineCount), index, title),
      ...body,
      ...all.slice(all.length - chapter.closingLineCount),
    );
  }
  lines.push(...script.lines.filter((line) => line.chapter >= material.length));
  const titles = chapters.slice(0, material.length).map(({ title }) => title);
  const before = material.map(({ title }) => title);
  announceTitles(lines, before, titles, options.title);
  return { script: { ...script, lines, chapters }, isByModel };
}
