import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { applyResearchEvent } from "#shared/research/apply-event.ts";
import { RESEARCH_ABORT_MS } from "#shared/research/rules.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { notify } from "#extension/app/channel.ts";
import { client } from "#extension/app/client.ts";
import { readSetting, removeSetting, type ResearchDraft, writeSetting } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";

const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 10_000;

/** A message before the research starts: the student's question, or a question back to the student. */
interface DialogueMessage {
  role: "user" | "assistant";
  text: string;
}

/** The research of the panel: a question that is being edited, and the session that is followed. */
export interface PanelResearch {
  draft: ResearchDraft | undefined;
  dialogue: readonly DialogueMessage[];
  isSending: boolean;
  /** Why the question was not sent. */
  refusal: string | undefined;
  /** The refusal is a limit of the plan. */
  isLimit: boolean;
  sessionId: string | undefined;
  /** Undefined until it was loaded. */
  session: ResearchSession | undefined;
  isReconnecting: boolean;
  /** Why the session is no longer followed. */
  problem: string | undefined;
}

const emptyResearch: PanelResearch = {
  draft: undefined,
  dialogue: [],
  isSending: false,
  refusal: undefined,
  isLimit: false,
  sessionId: undefined,
  session: undefined,
  isReconnecting: false,
  problem: undefined,
};

let research = emptyResearch;
let attempt: { question: string; messageId: string } | undefined;
let abort = new AbortController();
const listeners = new Set<() => void>();

export const getResearch = (): PanelResearch => research;

export function subscribeToResearch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function update(changes: Partial<PanelResearch>): void {
  research = { ...research, ...changes };
  for (const listener of listeners) listener();
}

/** Loads the stored question and session, and follows the session. */
export async function syncResearch(): Promise<void> {
  const [account, draft, followed] = await Promise.all([
    readSetting("account"),
    readSetting("researchDraft"),
    readSetting("followedResearch"),
  ]);
  if (draft?.at !== research.draft?.at) update({ draft, dialogue: [], refusal: undefined });
  const mayFollow = account !== undefined && !account.hasEnded && followed?.accountId === account.accountId;
  const sessionId = mayFollow ? followed.sessionId : undefined;
  if (sessionId !== research.sessionId) follow(sessionId);
}

/** Follows a session instead of the previous one, whose run continues on the server. */
function follow(sessionId: string | undefined): void {
  abort.abort();
  abort = new AbortController();
  const session = research.session?._id === sessionId ? research.session : undefined;
  update({ sessionId, session, isReconnecting: false, problem: undefined });
  if (sessionId !== undefined) void followToEnd(sessionId, abort.signal);
}

/** Follows the session again after it could not be followed to its end. */
export const followAgain = (): void => follow(research.sessionId);

const lastSeq = () => research.session?.run.seq ?? 0;

async function followToEnd(id: string, replaced: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([replaced, AbortSignal.timeout(RESEARCH_ABORT_MS)]);
  let delayMs = MIN_RETRY_DELAY_MS;
  for (;;) {
    const before = lastSeq();
    const outcome = await tryToFollow(id, signal);
    if (outcome === "ended" || replaced.aborted) return;
    if (outcome !== "lost") return update({ isReconnecting: false, problem: outcome.problem });
    if (lastSeq() > before) delayMs = MIN_RETRY_DELAY_MS;
    update({ isReconnecting: true });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
  }
}

async function tryToFollow(id: string, signal: AbortSignal): Promise<"ended" | "lost" | { problem: string }> {
  try {
    return (await readEvents(id, signal)) ? "ended" : "lost";
  } catch (error) {
    const problem = signal.aborted ? words.research_too_long : describeLoss(error);
    return problem === undefined ? "lost" : { problem };
  }
}

/** Why following ends; undefined if it is worth another try. */
function describeLoss(error: unknown): string | undefined {
  if (error instanceof NoResponseError) return undefined;
  if (!(error instanceof Failure)) return words.research_failed;
  if (error.code === "not_found") return words.research_missing;
  if (error.code === "signed_out") return words.research_signed_out;
  return error.status >= 500 ? undefined : words.research_failed;
}

/** Shows the session and the events of its run; resolves to whether the run has ended. */
async function readEvents(id: string, signal: AbortSignal): Promise<boolean> {
  if (await loadSession(id, signal)) return true;
  const events = client.research.followResearch({ id, after: lastSeq() }, { signal });
  for await (const event of events) {
    const { session } = research;
    if (signal.aborted || !session) return true;
    const changed = applyResearchEvent(session, event);
    // A newer server may send events that are unknown here.
    if (!changed) continue;
    const seq = Math.max(changed.run.seq, event.seq);
    update({ session: { ...changed, run: { ...changed.run, seq } }, isReconnecting: false });
  }
  return loadSession(id, signal);
}

async function loadSession(id: string, signal: AbortSignal): Promise<boolean> {
  const { conversation } = await client.research.getConversation({ id }, { signal });
  if (signal.aborted) return true;
  update({ session: conversation, isReconnecting: false });
  return conversation.run.status !== "running";
}

function describeRefusal(error: unknown): string {
  if (error instanceof NoResponseError && error.reason === "network") return words.research_offline;
  if (!(error instanceof Failure)) return words.research_failed;
  if (error.code === "limit_reached") return words.research_limit;
  if (error.code === "signed_out") return words.research_signed_out;
  return error.code === "too_many_requests"
    ? (toFailureMessage(error)?.message ?? words.research_failed)
    : words.research_failed;
}

/** Starts research of a question, or shows a question back if the planner needs to know more first. */
export async function startResearch(text: string): Promise<void> {
  const question = text.trim();
  if (question === "" || research.isSending) return;
  const { draft } = research;
  /** The student may discard the question, or choose another one, before the answer arrives. */
  const isShown = () => research.draft?.at === draft?.at;
  const messages: DialogueMessage[] = [...research.dialogue, { role: "user", text: question }];
  update({ isSending: true, refusal: undefined, isLimit: false });
  try {
    const plan = await client.research.plan({
      messages: messages.map(({ role, text: content }) => ({ role, content })),
    });
    if (plan.result === "done") await followNewSession(await send(plan.message, plan.shortDescription), draft);
    else if (isShown()) update({ dialogue: [...messages, { role: "assistant", text: plan.message }] });
  } catch (error) {
    if (isShown())
      update({ refusal: describeRefusal(error), isLimit: toFailureMessage(error)?.opensPlanModal ?? false });
  } finally {
    update({ isSending: false });
  }
}

/** Sends a question; resolves to the id of its session. A repeat has the same message id, so it starts no second run. */
async function send(userMessage: string, shortDescription: string): Promise<string> {
  if (attempt?.question !== userMessage) attempt = { question: userMessage, messageId: ulid() };
  const events = client.research.sendResearch({
    userMessage,
    shortDescription,
    depthState: "quick",
    messageId: attempt.messageId,
    date: new Date().toISOString(),
  });
  for await (const event of events) if (event.type === "conversation_id") return event.conversationId;
  throw new NoResponseError("network");
}

async function followNewSession(sessionId: string, sent: ResearchDraft | undefined): Promise<void> {
  attempt = undefined;
  const accountId = (await readSetting("account"))?.accountId ?? "";
  await writeSetting("followedResearch", { accountId, sessionId });
  const stored = await readSetting("researchDraft");
  if (stored === undefined || stored.at === sent?.at) {
    await removeSetting("researchDraft");
    update({ draft: undefined, dialogue: [] });
  }
  follow(sessionId);
  notify("research");
}

export async function stopResearch(): Promise<void> {
  const { sessionId } = research;
  if (sessionId === undefined) return;
  try {
    const { conversation } = await client.research.cancelResearch({ id: sessionId });
    if (research.sessionId !== sessionId) return;
    abort.abort();
    update({ session: conversation, isReconnecting: false, problem: undefined });
  } catch {
    update({ problem: words.research_stop_failed });
  }
}

/** Removes the session from the panel; it stays in the library. */
export async function closeResearch(): Promise<void> {
  await removeSetting("followedResearch");
  follow(undefined);
  notify("research");
}
