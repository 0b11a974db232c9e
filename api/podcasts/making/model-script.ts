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
const TOKENS_PER_CHAPTER = 120;
const TOKENS_PER_WORD = 4;
const MAX_LINES = 80;
const MS_PER_WORD = 400;
/** After this time, the remaining chapters are extractive, so that a slow model leaves time to speak the episode. */
const WRITING_LIMIT_MS = 10 * 60_000;

interface Writing {
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

type Written = Pick<WritingCheckpoint, "dialogues"> & { outline: Outlined[] | undefined };

/** The answers that an interrupted run got, if it wrote from the same material. */
function findWritten(checkpoint: unknown, material: string): Written {
  const written = WritingCheckpoint.safeParse(checkpoint).data;
  return written?.material === material ? written : { outline: undefined, dialogues: [] };
}

/** Titles and aims by a model; a chapter without a usable title keeps its heading. */
async function writeOutline(
  { model, ownerId, options, signal }: Writing,
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
  { model, ownerId, options, signal }: Writing,
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
      maxTokens: faulty.length * TOKENS_PER_CHAPTER + 100,
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

async function writeDialogue(writing: Writing, material: ChapterMaterial, aim: string, targetMs: number) {
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
function retitle(head: readonly ScriptLine[], index: number, title: string): ScriptLine[] {
  const announcement = announceChapter(index, title);
  return head.map((line, position) => (position === head.length - 1 ? { ...line, ...announcement } : line));
}

export interface ModelScript {
  script: Script;
  /** Whether the script contains a line by the model. */
  isByModel: boolean;
}

/** The calls to the model for one episode, until `limited` is aborted or one of them fails. */
class ModelAttempts {
  isReachable = true;
  readonly #signal: AbortSignal;
  readonly #limited: AbortSignal;

  constructor(signal: AbortSignal, limited: AbortSignal) {
    this.#signal = signal;
    this.#limited = limited;
  }

  /** Resolves to undefined if the model fails now, or has failed before. */
  async call<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (!this.isReachable) return undefined;
    try {
      return await ask();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof Failure) && !this.#limited.aborted) throw error;
      this.isReachable = false;
      return undefined;
    }
  }
}

/** The lines of a chapter, and those of them that a dialogue replaces. */
function linesOfChapter(script: Script, { head, tail }: ChapterMaterial, index: number) {
  const all = script.lines.filter((line) => line.chapter === index);
  return { all, extractive: all.slice(head, all.length - tail) };
}

/** The duration of lines without the silences between them. */
const speakingMs = (lines: readonly ScriptLine[], { msPerChar }: ScriptOptions): number =>
  lines.reduce((sum, { spoken, speaker }) => sum + spoken.length * msPerChar[speaker], 0);

/**
 * Writes the titles and the dialogue of each chapter with a model. For a chapter that the model did not write, no lines
 * are returned. An interrupted run continues after the last written chapter.
 */
async function askModel(
  { signal, ...request }: Writing,
  script: Script,
  material: readonly ChapterMaterial[],
): Promise<Pick<WritingCheckpoint, "outline" | "dialogues">> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WRITING_LIMIT_MS)]);
  const writing: Writing = { ...request, signal: limited };
  const attempts = new ModelAttempts(signal, limited);
  const materialHash = hash("sha256", JSON.stringify(material), "base64url");
  const earlier = findWritten(request.checkpoint, materialHash);
  const outline = earlier.outline ?? (await attempts.call(() => writeOutline(writing, material))) ?? [];
  const dialogues = [...earlier.dialogues];
  for (const [index, chapter] of material.entries()) {
    await request.onChapter(index);
    if (index < dialogues.length) continue;
    const { title = chapter.title, aim = "" } = outline[index] ?? {};
    const targetMs = speakingMs(linesOfChapter(script, chapter, index).extractive, request.options);
    dialogues.push((await attempts.call(() => writeDialogue(writing, { ...chapter, title }, aim, targetMs))) ?? []);
    if (attempts.isReachable) await request.onCheckpoint({ material: materialHash, outline, dialogues });
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
  writing: Writing,
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
    lines.push(...retitle(all.slice(0, chapter.head), index, title), ...body, ...all.slice(all.length - chapter.tail));
  }
  lines.push(...script.lines.filter((line) => line.chapter >= material.length));
  const titles = chapters.slice(0, material.length).map(({ title }) => title);
  const before = material.map(({ title }) => title);
  announceTitles(lines, before, titles, options.title);
  return { script: { ...script, lines, chapters }, isByModel };
}
