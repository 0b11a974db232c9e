import { Failure } from "#shared/contract/failure.ts";
import {
  assembleChapter,
  findLineFault,
  type ProposedLine,
  replaceLine,
  sentenceOf,
} from "#shared/podcasts/script/dialogue.ts";
import type { ChapterMaterial, ScriptLine, ScriptOptions } from "#shared/podcasts/script/script-line.ts";
import { announceChapter, announceContents, sayGoodbye } from "#shared/podcasts/script/host-lines.ts";
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
}

interface Outlined {
  title: string;
  aim: string;
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

/**
 * Rewrites an extractive script with a model, chapter by chapter. Where the model is missing, silent, cut off or wrong,
 * the extractive lines are kept, which also preserves the length.
 */
export async function writeWithModel(
  { signal, ...request }: Writing,
  script: Script,
  material: readonly ChapterMaterial[],
): Promise<ModelScript> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WRITING_LIMIT_MS)]);
  const writing: Writing = { ...request, signal: limited };
  let isByModel = false;
  let isReachable = true;
  /** Undefined once the model has failed: the model is not called again for this episode. */
  const attempt = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    if (!isReachable) return undefined;
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Failure) && !limited.aborted) throw error;
      isReachable = false;
      return undefined;
    }
  };
  const outline = (await attempt(() => writeOutline(writing, material))) ?? [];
  const chapters = [...script.chapters];
  const lines: ScriptLine[] = [];
  for (const [index, chapter] of material.entries()) {
    await writing.onChapter(index);
    const all = script.lines.filter((line) => line.chapter === index);
    const extractive = all.slice(chapter.head, all.length - chapter.tail);
    const targetMs = extractive.reduce(
      (sum, { spoken, speaker }) => sum + spoken.length * writing.options.msPerChar[speaker],
      0,
    );
    const { title = chapter.title, aim = "" } = outline[index] ?? {};
    const proposed = (await attempt(() => writeDialogue(writing, { ...chapter, title }, aim, targetMs))) ?? [];
    if (!proposed.some(({ speaker }) => speaker === "guest")) {
      lines.push(...all);
      continue;
    }
    isByModel = true;
    chapters[index] = { title };
    const body = assembleChapter({ index, material: chapter, extractive }, proposed, writing.options);
    lines.push(...retitle(all.slice(0, chapter.head), index, title), ...body, ...all.slice(all.length - chapter.tail));
  }
  lines.push(...script.lines.filter((line) => line.chapter >= material.length));
  const titles = chapters.slice(0, material.length).map(({ title }) => title);
  const previousText = announceContents(material.map(({ title }) => title))?.text;
  const contents = announceContents(titles);
  const contentsIndex = lines.findIndex(({ text }) => text === previousText);
  const line = lines[contentsIndex];
  if (line) lines.splice(contentsIndex, 1, ...(contents ? [{ ...line, ...contents }] : []));
  const last = lines.pop();
  if (last) lines.push({ ...last, ...sayGoodbye(request.options.title, titles) });
  return { script: { ...script, lines, chapters }, isByModel };
}
