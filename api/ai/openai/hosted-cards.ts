import { Failure } from "#shared/contract/failure.ts";
import { FOCUS_CARD_COUNT, cardTarget } from "#shared/flashcards/rules.ts";
import { CardReader, MAX_JSON_CHARS_PER_TOKEN, type WrittenCard } from "./object-reader.ts";
import type { AnswerPart } from "./answer-stream.ts";
import { streamAnswerWithinBudget } from "./counted-answer.ts";
import { chunkPassages, type Chunk } from "../chunks.ts";
import { CardGeneration } from "./card-generation.ts";
import type { CardEvent, CardRequest, Model } from "../port.ts";
import { buildCardsPrompt } from "../prompts/cards.ts";
import { toModelFailure, describeError, retryDelayMs, sleep } from "./retry.ts";
import type { HostedModel } from "./hosted-model.ts";
import { SelfCheck } from "./self-check.ts";
import { chat } from "./chat.ts";
import { useTools } from "./tools.ts";

/** Cards per request: few enough for the output limits of small models. */
const MAX_CARDS_PER_REQUEST = 25;
const TOKENS_PER_CARD = 160;
/** Existing questions included in the prompt; the gates reject duplicates of all others. */
const MAX_QUESTIONS_IN_PROMPT = 60;
const MAX_CHUNK_CHARS = 7000;
const MIN_CHUNK_CHARS = 1500;
/** If less than this share of the target is missing, another request is not worth it. */
const MAX_MISSING_SHARE = 0.2;
/** A chunk is abandoned after this many answers without a new card. */
const MAX_EMPTY_ANSWERS = 2;

/** A model on any server with an OpenAI-compatible API. */
export function createHostedModel(hosted: HostedModel): Model {
  return {
    info: hosted.info,
    generateCards: (request) => generateCards(hosted, request),
    chat: (request) => chat(hosted, request),
    useTools: (request) => useTools(hosted, request),
  };
}

async function* generateCards(hosted: HostedModel, request: CardRequest): AsyncGenerator<CardEvent> {
  const generation = new CardGeneration(request);
  const { chunks, takeShare } = planChunks(request);
  const done = Math.min(request.startAt ?? 0, chunks.length);
  yield { type: "progress", done, total: chunks.length, stage: "asking" };
  try {
    for (const [i, chunk] of chunks.entries()) {
      if (i < done) continue;
      yield* generateForChunk(hosted, generation, { chunk, targetCount: takeShare(chunk) });
      yield { type: "progress", done: i + 1, total: chunks.length, stage: "asking" };
    }
    if (Object.keys(generation.rejected).length > 0) yield { type: "gates", rejected: generation.rejected };
    if (generation.wrongLanguageCount > generation.rightLanguageCount) {
      if (generation.accepted === 0) throw new Failure("model_unavailable", "model_other_language");
      yield { type: "notice", notice: "not_translated" };
    }
  } catch (error) {
    request.signal.throwIfAborted();
    hosted.log.warn({ model: hosted.info.id, failure: describeError(error) }, "a model server failed");
    throw toModelFailure(error);
  } finally {
    const { accepted, rejected } = generation;
    hosted.log.info(
      { model: hosted.info.id, chunks: chunks.length, accepted, refused: rejected },
      "card generation ended",
    );
  }
}

/**
 * Splits the source so that no chunk needs more cards than a few answers can hold, and gives each chunk a share of the
 * target by length.
 */
function planChunks({ passages, options, generatedCards: made }: CardRequest) {
  const whole = chunkPassages(passages, MAX_CHUNK_CHARS);
  const wordCount = whole.reduce((sum, c) => sum + c.wordCount, 0);
  const target = cardTarget(options.density, wordCount);
  const max = options.focus ? Math.min(target.max, FOCUS_CARD_COUNT) : target.max;
  const chars = Math.floor((MAX_CARDS_PER_REQUEST / (max / Math.max(wordCount, 1))) * 6);
  const chunkChars = Math.min(Math.max(chars, MIN_CHUNK_CHARS), MAX_CHUNK_CHARS);
  const chunks = chunkChars === MAX_CHUNK_CHARS ? whole : chunkPassages(passages, chunkChars);
  let remaining = Math.max(max - (made?.length ?? 0), 0);
  return {
    chunks,
    /** Rounded; the sum never exceeds the target. */
    takeShare: (chunk: Chunk) => {
      const share = Math.min(Math.max(Math.round((max * chunk.wordCount) / wordCount), 1), remaining);
      remaining -= share;
      return share;
    },
  };
}

interface ChunkTask {
  chunk: Chunk;
  targetCount: number;
}

/** "enough": there were as many cards as requested; the self-check may still drop some of them. */
type AnswerEnd = "finished" | "cut" | "enough";

/** Whether the chunk needs no further request. */
function isChunkFinished(
  end: AnswerEnd,
  { addedShare, missingShare }: { addedShare: number; missingShare: number },
): boolean {
  if (end === "cut") return false;
  return missingShare < MAX_MISSING_SHARE || (end === "finished" && addedShare < 0.5);
}

/** Repeats requests until the chunk has its share of cards, or the model finishes with fewer. */
async function* generateForChunk(
  hosted: HostedModel,
  generation: CardGeneration,
  task: ChunkTask,
): AsyncGenerator<CardEvent> {
  const before = generation.accepted;
  let emptyAnswers = 0;
  let failures = 0;
  for (;;) {
    const count = Math.min(task.targetCount - (generation.accepted - before), MAX_CARDS_PER_REQUEST);
    if (count <= 0 || emptyAnswers >= MAX_EMPTY_ANSWERS) return;
    const acceptedBefore = generation.accepted;
    try {
      const end = yield* requestCards(hosted, generation, { chunk: task.chunk, targetCount: count });
      failures = 0;
      const addedCards = generation.accepted - acceptedBefore;
      const missing = task.targetCount - (generation.accepted - before);
      if (addedCards === 0) emptyAnswers++;
      else if (isChunkFinished(end, { addedShare: addedCards / count, missingShare: missing / task.targetCount }))
        return;
    } catch (error) {
      generation.request.signal.throwIfAborted();
      if (generation.omitOptionsIfRefused(error)) continue;
      // An answer that yielded cards before it failed was worth the request, so restart the failure count.
      failures = generation.accepted > acceptedBefore ? 1 : failures + 1;
      const delay = retryDelayMs(error, failures, hosted.retries);
      if (delay === undefined) throw error;
      hosted.log.info(
        { model: hosted.info.id, failures, waitMs: Math.round(delay), ...describeError(error) },
        "retrying",
      );
      await sleep(delay, generation.request.signal);
    }
  }
}

function buildPrompt(generation: CardGeneration, { chunk, targetCount }: ChunkTask) {
  const { options } = generation.request;
  return buildCardsPrompt({
    passages: chunk.pieces,
    count: targetCount,
    options,
    existingQuestions: generation.existingCards.slice(-MAX_QUESTIONS_IN_PROMPT).map((c) => c.question),
  });
}

/**
 * The cards that this part completes; if the answer was cut at its length limit, its last card is incomplete and
 * dropped.
 */
function readCards(reader: CardReader, part: AnswerPart): WrittenCard[] {
  if (part.type === "text") return reader.push(part.text);
  return part.type === "end" && part.isWhole ? reader.end() : [];
}

/** Sends one request and yields its cards after the self-check, also those that came before a failure. */
async function* requestCards(
  hosted: HostedModel,
  generation: CardGeneration,
  task: ChunkTask,
): AsyncGenerator<CardEvent, AnswerEnd> {
  const check = new SelfCheck(hosted, generation);
  try {
    const end = yield* streamCards(hosted, generation, { ...task, check });
    yield* generation.takeAnswered(await check.finish());
    return end;
  } catch (error) {
    generation.request.signal.throwIfAborted();
    yield* generation.takeAnswered(await check.finish());
    throw error;
  }
}

function endOf(part: AnswerPart, isEnough: boolean): AnswerEnd {
  if (isEnough) return "enough";
  return part.type === "end" && !part.isWhole ? "cut" : "finished";
}

/**
 * Passes each card of an answer to the self-check, and yields those that passed it. Stops early once there are enough.
 */
async function* streamCards(
  hosted: HostedModel,
  generation: CardGeneration,
  { check, ...task }: ChunkTask & { check: SelfCheck },
): AsyncGenerator<CardEvent, AnswerEnd> {
  const prompt = buildPrompt(generation, task);
  const maxTokens = task.targetCount * TOKENS_PER_CARD + 300;
  const { omitsOptions, request } = generation;
  const turns = [{ role: "user" as const, text: prompt.user }];
  const modelRequest = { system: prompt.system, turns, maxTokens, omitsOptions, signal: request.signal };
  const reader = new CardReader();
  const goal = generation.accepted + task.targetCount;
  let answerChars = 0;
  for await (const part of streamAnswerWithinBudget(hosted, modelRequest, request.ownerId)) {
    if (part.type === "text") answerChars += part.text.length;
    for (const card of readCards(reader, part)) {
      const proposed = generation.accepted < goal ? generation.applyGates(card, task.chunk.passages) : undefined;
      if (proposed) check.add(proposed);
    }
    yield* generation.takeAnswered(check.takeChecked());
    const isStopped = generation.accepted >= goal || answerChars > maxTokens * MAX_JSON_CHARS_PER_TOKEN;
    if (isStopped || part.type === "end") return endOf(part, check.addedCards >= task.targetCount);
  }
  return "cut";
}
