import { Failure } from "#shared/contract/failure.ts";
import type { Model, ChatTurn, ToolCall } from "#api/ai/port.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { readSiteDocument, readProjectFiles, requireProject, saveCheckpoint } from "../project-files.ts";
import { presentChanged, showProject } from "../site-state.ts";
import { textOf } from "../propose-title.ts";
import { listThreadMessages, type ProjectDoc } from "../store.ts";
import { TEXT_SYSTEM, TOOL_SYSTEM } from "./agent-prompts.ts";
import type { AnswerRun } from "./answer-run.ts";
import { chooseSources } from "./choose-sources.ts";
import { inspectSite } from "./inspect-site.ts";
import { mergeFiles } from "./files/merge-files.ts";
import { type AgentAction, readActions, WordStream } from "./read-actions.ts";
import { reply } from "./replies.ts";
import { listToolSpecs, toAction } from "./tool-calls.ts";
import { runAction } from "./tools.ts";
import type { ToolContext } from "./tool-context.ts";

const MAX_STEPS = 24;
const MAX_REPAIRS = 3;
const MAX_EMPTY_ANSWERS = 2;
const MAX_TOKENS = 6000;
const MAX_ARGUMENT_CHARS = 60_000;
const MAX_RESULT_CHARS = 24_000;
const MAX_HISTORY = 8;
/** Limit for one message; a model may think without end. */
const MAX_THOUGHT_CHARS = 20_000;
/** How often changes are merged before the answer fails. */
const MAX_MERGES = 5;

/** Reads, writes and checks files until the model is done, the steps are used up or a fault cannot be repaired. */
export async function answerWithModel(run: AnswerRun, model: Model): Promise<void> {
  const { own, input } = run;
  const project = await requireProject(own, input.projectId);
  const files = await readProjectFiles(own, project);
  const document = readSiteDocument(files);
  const context: ToolContext = {
    run,
    files,
    startFiles: new Map(files),
    thoughtChars: 0,
    sourceIds: await chooseSources(run, document),
    title: document?.title ?? project.name,
    failedEdits: new Map(),
    hasChanged: false,
    isDraftShown: false,
    repeats: new Map(),
    repairs: 0,
  };
  const language = document?.language ?? "en";
  try {
    const ending = await work(context, model, await firstTurns(run, context));
    if (ending !== "seen") run.write(`\n\n${reply(ending, language)}`);
    if (context.hasChanged) await countSite(run, model, { ending, repairs: context.repairs });
    if (context.hasChanged && ending !== "restored_good") await saveChanges(context, language);
  } finally {
    if (context.isDraftShown) await showStored(run);
  }
}

/** Stores the merged changes and shows them; the answer names the files that both changed. */
async function saveChanges(context: ToolContext, language: string): Promise<void> {
  const { own, deps } = context.run;
  const { changed, conflicts } = await storeMerged(context, MAX_MERGES);
  context.isDraftShown = false;
  if (conflicts.length > 0) context.run.write(`\n\n${reply("changed_by_both", language)} ${conflicts.join(", ")}`);
  await presentChanged({ ...deps, own }, changed);
}

/**
 * Merges the changes with those that the student made meanwhile, and stores the result. For a file that both changed,
 * this version is used. If the student changes the site at this moment, merges again.
 */
async function storeMerged(
  context: ToolContext,
  triesLeft: number,
): Promise<{ changed: ProjectDoc; conflicts: string[] }> {
  const { own, input, deps } = context.run;
  const origin = { reason: "message" as const, detail: input.text, messageId: input.messageId };
  const project = await requireProject(own, input.projectId);
  const { files, conflicts } = mergeFiles(context.startFiles, await readProjectFiles(own, project), context.files);
  try {
    return { changed: await saveCheckpoint({ ...deps, own }, project, files, origin), conflicts };
  } catch (error) {
    if (triesLeft <= 1 || !(error instanceof Failure) || error.code !== "version_conflict") throw error;
    return storeMerged(context, triesLeft - 1);
  }
}

/** Shows the stored state in an open preview again. */
async function showStored({ own, input, deps: { previews, clock } }: AnswerRun): Promise<void> {
  await showProject({ own, previews, clock }, await requireProject(own, input.projectId));
}

/** Counts the outcome of a changed site; a repeated run replaces the count. */
async function countSite(
  { own, input, deps }: AnswerRun,
  model: Model,
  { ending, repairs }: { ending: Ending; repairs: number },
): Promise<void> {
  const isGood = ending !== "restored_good";
  const sums = { builds: 1, goodAtFirst: isGood && repairs === 0 ? 1 : 0, repairs, restored: isGood ? 0 : 1 };
  const dims = { model: model.info.id, version: programVersion };
  await recordFigure(own, { figure: "sites", id: input.answerId, at: deps.clock.now(), dims, sums });
}

async function firstTurns({ own, input }: AnswerRun, { files }: ToolContext): Promise<ChatTurn[]> {
  const stored = await listThreadMessages(own, input.threadId);
  const earlier = stored
    .filter(({ messageId, parts }) => messageId !== input.messageId && textOf({ parts }) !== "")
    .slice(-MAX_HISTORY)
    .map(({ role, parts }): ChatTurn => ({ role, text: textOf({ parts }) }));
  const list = [...files].map(([path, text]) => `${path} (${text.length} characters)`).join("\n");
  return [...earlier, { role: "user", text: `${input.text}\n\nThe files of the site:\n${list}` }];
}

/** How the work on a message ended; every ending but `seen` has a reply. */
type Ending = "seen" | "not_looked_at" | "gave_up_steps" | "restored_good" | "no_answer";

interface Progress {
  steps: number;
  emptyAnswers: number;
}

async function work(context: ToolContext, model: Model, turns: ChatTurn[]): Promise<Ending> {
  const progress: Progress = { steps: 0, emptyAnswers: 0 };
  while (progress.steps < MAX_STEPS) {
    const { words, actions, turn } = await requestAnswer(context, model, turns);
    turns.push(turn);
    if (actions.length > 0) {
      turns.push(await runActions(context, actions.slice(0, MAX_STEPS - progress.steps), turn.calls ?? []));
      progress.steps += actions.length;
      continue;
    }
    const next = words === "" ? handleEmptyAnswer(progress) : await checkResult(context);
    if ("ending" in next) return next.ending;
    turns.push({ role: "user", text: next.text });
    progress.steps += 1;
  }
  const { problem } = await inspectSite(context);
  return problem === undefined ? "gave_up_steps" : "restored_good";
}

type Next = { ending: Ending } | { text: string };

function handleEmptyAnswer(progress: Progress): Next {
  progress.emptyAnswers += 1;
  if (progress.emptyAnswers > MAX_EMPTY_ANSWERS) return { ending: "no_answer" };
  return { text: "Your answer was empty. Go on, or say in one sentence what you did." };
}

/**
 * Called when the model reports that it is done. The site is done once the site builds, paints and reports no error.
 */
async function checkResult(context: ToolContext): Promise<Next> {
  if (!context.hasChanged) return { ending: "seen" };
  const { problem, hasReport } = await inspectSite(context);
  if (problem === undefined) return { ending: hasReport ? "seen" : "not_looked_at" };
  context.repairs += 1;
  return context.repairs > MAX_REPAIRS ? { ending: "restored_good" } : { text: problem };
}

async function runActions(
  context: ToolContext,
  actions: readonly AgentAction[],
  calls: readonly ToolCall[],
): Promise<ChatTurn> {
  const texts: string[] = [];
  for (const action of actions) {
    context.run.signal.throwIfAborted();
    const { resultText, errorLog } = await runAction(context, action);
    const text = `${resultText}${errorLog === undefined ? "" : `\n${errorLog}`}`;
    texts.push(text.slice(0, MAX_RESULT_CHARS));
  }
  const named = texts.map((text, index) => `Result of ${actions[index]?.name ?? ""}:\n${text}`);
  const text = named.join("\n\n").slice(0, MAX_RESULT_CHARS);
  // Each call needs a result, even a call for which no steps were left.
  const results = calls.map(({ id }, index) => ({ id, text: texts[index] ?? "Not run: no steps are left." }));
  return results.length === 0 ? { role: "user", text } : { role: "user", text, results };
}

interface Answer {
  words: string;
  actions: readonly AgentAction[];
  turn: ChatTurn;
}

/**
 * Requests one answer: native calls if the server supports tools, otherwise actions in the text. The words are sent as
 * they arrive.
 */
async function requestAnswer(context: ToolContext, model: Model, turns: readonly ChatTurn[]): Promise<Answer> {
  const { own, signal, keepAlive, write } = context.run;
  let text = "";
  let isWhole = true;
  const calls: ToolCall[] = [];
  const offered = {
    system: TOOL_SYSTEM,
    tools: listToolSpecs(),
    maxArgumentChars: MAX_ARGUMENT_CHARS,
    onCalls: (made: readonly ToolCall[]) => {
      calls.push(...made);
    },
  };
  const onEnd = (whole: boolean) => {
    isWhole = whole;
  };
  const onThought = (thought: string) => writeThought(context, thought);
  const shared = { turns: [...turns], maxTokens: MAX_TOKENS, ownerId: own.ownerId, signal, onEnd, onThought };
  const stream = new WordStream();
  for await (const piece of model.chat?.({ ...shared, system: TEXT_SYSTEM, offered }) ?? []) {
    text += piece;
    keepAlive();
    write(stream.push(piece));
  }
  write(stream.end());
  const turn: ChatTurn = { role: "assistant", text: text === "" ? "…" : text };
  const read = calls.length === 0 ? readActions(text) : { words: text.trim(), actions: toActions(calls, isWhole) };
  if (read.words !== "") write("\n");
  return { ...read, turn: calls.length === 0 ? turn : { ...turn, calls } };
}

const toActions = (calls: readonly ToolCall[], isWhole: boolean): AgentAction[] =>
  calls.map((call, index) => toAction(call, isWhole || index < calls.length - 1));

function writeThought(context: ToolContext, thought: string): void {
  const remaining = Math.max(0, MAX_THOUGHT_CHARS - context.thoughtChars);
  context.thoughtChars += thought.length;
  context.run.keepAlive();
  context.run.write(thought.slice(0, remaining), "reasoning");
}
