import { ulid } from "ulid";
import type { Parsed } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { research } from "#shared/research/contract.ts";
import { planResearch } from "#shared/research/plan/clarify.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { removeFromLists } from "#api/library/remove-from-lists.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { awaitStoppedRun, finalizeIfInterrupted } from "./interrupted-run.ts";
import { forgetIndexed } from "./canvas-index.ts";
import { eraseResearch, publishResearch } from "./erase-session.ts";
import { duplicateResearch } from "./duplicate-session.ts";
import { followRun } from "./follow-run.ts";
import { readPictureText } from "./read-picture.ts";
import { saveNotes, saveSectionEdit } from "./save-texts.ts";
import { recheckSession } from "./recheck.ts";
import { researchJobKey } from "./run/run-input.ts";
import { searchServicesOf } from "./search/sources.ts";
import { startResearch } from "./start-run.ts";
import {
  findResearchContent,
  findResearchSession,
  findSnapshot,
  insertResearchSession,
  listResearchSessions,
  patchResearchSession,
  presentSession,
  presentToOthers,
  presentResearchSummary,
  type ResearchSessionDoc,
} from "./store.ts";

const sessionNotFound = () => new Failure("not_found", "no_research");

async function requireResearch({ own }: UserCtx, sessionId: string): Promise<ResearchSessionDoc> {
  const session = await findResearchSession(own, sessionId);
  if (!session) throw sessionNotFound();
  return session;
}

async function present({ own, caller }: UserCtx, session: ResearchSessionDoc): Promise<ResearchSession> {
  const content = await findResearchContent(own, session.sessionId);
  if (!content) throw sessionNotFound();
  return presentSession(session, content, session.ownerId !== caller.userId);
}

type MessageContent = Parsed<typeof research.plan>["messages"][number]["content"];

/** Pictures read per question, because each takes seconds and all accounts share one reader. */
const MAX_PICTURES = 2;

/** The text of a message. The last message also includes the words in its first pictures. */
async function readContent(ctx: UserCtx, content: MessageContent, isLast: boolean): Promise<string> {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
  const pictures = content.flatMap((part) => (part.type === "text" ? [] : part.image_url.url));
  const reading = { language: ctx.language(), signal: ctx.signal };
  for (const picture of isLast ? pictures.slice(0, MAX_PICTURES) : [])
    texts.push(await readPictureText(picture, reading));
  return texts.filter((text) => text.trim() !== "").join("\n");
}

/** Saves the student's version of a section that a run has written. */
async function editSection(
  { own, clock }: UserCtx,
  sessionId: string,
  { section, ...edit }: NonNullable<Parsed<typeof research.changeConversation>["edit"]>,
): Promise<void> {
  const content = await findResearchContent(own, sessionId);
  if (!content?.sections.some(({ id, status }) => id === section && status === "written"))
    throw new Failure("bad_input", "no_research_section");
  await saveSectionEdit(own, sessionId, { ...edit, section, now: clock.now() });
}

/** The owner of a session that is shared under this id. */
type FindShareOwner = (store: DocumentStore, sessionId: string) => Promise<string | undefined>;

/** A session that somebody else shares; undefined for the caller's own. */
/** The fields of a session that is archived, which leaves its folder, or restored. */
async function archiveFields({ own, clock }: UserCtx, sessionId: string, isArchived: boolean) {
  const now = clock.now();
  if (isArchived) await removeFromLists(own, sessionId, `research:${ulid(now)}`);
  return { is_archived: isArchived, archived_at: isArchived ? now : null };
}

async function findSharedSession(ctx: UserCtx, sessionId: string, findShareOwner: FindShareOwner) {
  if (await findResearchSession(ctx.own, sessionId)) return undefined;
  const ownerId = await findShareOwner(ctx.store, sessionId);
  if (ownerId === undefined) return undefined;
  const owner = ownedBy(ctx.store, ownerId);
  const session = await findResearchSession(owner, sessionId);
  const content = session && (await findResearchContent(owner, sessionId));
  return content && { owner, session, content: presentToOthers(content) };
}

/**
 * Handlers that also accept sessions shared by others. `findShareOwner` is passed in because sharing uses this feature.
 */
export const createSharedResearchHandlers = (
  findShareOwner: FindShareOwner,
): Pick<Handlers<typeof research>, "getConversation" | "readSnapshot" | "duplicateConversation"> => ({
  async getConversation(ctx, { id }) {
    const shared = await findSharedSession(ctx, id, findShareOwner);
    if (shared) return { conversation: presentSession(shared.session, shared.content, true) };
    const session = await finalizeIfInterrupted(ctx, await requireResearch(ctx, id));
    const opened = await patchResearchSession(ctx.own, id, { last_opened: ctx.clock.now() });
    return { conversation: await present(ctx, opened ?? session) };
  },

  async readSnapshot(ctx, { id, n }) {
    const shared = await findSharedSession(ctx, id, findShareOwner);
    if (!shared) await requireResearch(ctx, id);
    const own = shared?.owner ?? ctx.own;
    const [content, snapshot] = await Promise.all([findResearchContent(own, id), findSnapshot(own, id, n)]);
    const source = content?.sources.find((candidate) => candidate.n === n);
    // Of the sources in another student's library, only the quotes are shared.
    if (!source || (shared && source.via === "library")) throw sessionNotFound();
    return { source, passages: snapshot?.passages ?? [] };
  },

  async duplicateConversation(ctx, { id }) {
    const shared = await findSharedSession(ctx, id, findShareOwner);
    const { conversation_title: title } = shared?.session ?? (await requireResearch(ctx, id));
    const copy = { sessionId: id, title, now: ctx.clock.now() };
    const copyId = await duplicateResearch(ctx.own, shared?.owner ?? ctx.own, copy);
    await publishResearch(ctx.own, copyId);
    return { conversation: await present(ctx, await requireResearch(ctx, copyId)) };
  },
});

export const handlers: Omit<Handlers<typeof research>, keyof ReturnType<typeof createSharedResearchHandlers>> = {
  async listConversations(ctx, { archived }) {
    const found = await listResearchSessions(ctx.own, archived === "true");
    const current = await Promise.all(found.map((session) => finalizeIfInterrupted(ctx, session)));
    return { conversations: current.map(presentResearchSummary) };
  },

  async newSession(ctx, { conversation_title: title }) {
    const sessionId = ulid();
    await insertResearchSession(ctx.own, { sessionId, title, now: ctx.clock.now() });
    await publishResearch(ctx.own, sessionId);
    return { conversationId: sessionId, conversation: await present(ctx, await requireResearch(ctx, sessionId)) };
  },

  async *sendResearch(ctx, request) {
    const started = await startResearch(ctx, request, searchServicesOf(ctx).available());
    yield { type: "conversation_id", seq: 0, conversationId: started.sessionId };
    yield* followRun(ctx, started, 0);
  },

  async plan(ctx, { conversationId, messages }) {
    if (conversationId !== null) await requireResearch(ctx, conversationId);
    const earlier = conversationId === null ? undefined : await findResearchContent(ctx.own, conversationId);
    const texts = await Promise.all(
      messages.map(async ({ role, content }, index) => ({
        role,
        text: await readContent(ctx, content, index === messages.length - 1),
      })),
    );
    if (!texts.some(({ role, text }) => role === "user" && text.trim() !== ""))
      throw new Failure("bad_input", "research_question_missing");
    return planResearch(texts, {
      earlier: earlier?.timeline.at(-1)?.message,
      language: ctx.language(),
    });
  },

  async *followResearch(ctx, { id, after }) {
    const { run } = await requireResearch(ctx, id);
    if (run.id !== "") yield* followRun(ctx, { sessionId: id, runId: run.id }, after);
  },

  async cancelResearch(ctx, { id }) {
    const session = await requireResearch(ctx, id);
    if (session.run.status === "running")
      await ctx.jobs.cancel(ctx.caller.userId, researchJobKey(ctx.caller.userId, session.run.id));
    return { conversation: await present(ctx, await awaitStoppedRun(ctx, session)) };
  },

  async recheckSources(ctx, { id }) {
    await requireResearch(ctx, id);
    return { sources: await recheckSession(ctx, id) };
  },

  async listSearchSources(ctx) {
    const model = await ctx.models.choose(undefined);
    return { sources: searchServicesOf(ctx).states(), model: model?.chat ? model.info.name : null };
  },

  async changeConversation(ctx, { id, conversation_title: title, is_archived: isArchived, notes, edit, ...more }) {
    const session = await requireResearch(ctx, id);
    if (notes !== undefined) await saveNotes(ctx.own, id, { notes, base: more.notes_base });
    if (edit !== undefined) await editSection(ctx, id, edit);
    if (notes !== undefined || edit !== undefined) await forgetIndexed(ctx, id);
    const changed = await patchResearchSession(ctx.own, id, {
      ...(title === undefined ? {} : { conversation_title: title }),
      ...(isArchived === undefined ? {} : await archiveFields(ctx, id, isArchived)),
    });
    const isTextOnly = title === undefined && isArchived === undefined;
    await publishResearch(ctx.own, id, {
      ...(more.request_id === undefined ? {} : { requestId: more.request_id }),
      ...(isTextOnly && { isTextOnly }),
    });
    return { conversation: await present(ctx, changed ?? session) };
  },

  async deleteConversation(ctx, { id }) {
    const session = await requireResearch(ctx, id);
    if (session.run.status === "running") {
      await ctx.jobs.cancel(ctx.caller.userId, researchJobKey(ctx.caller.userId, session.run.id));
      // Wait for its end, which refunds the quota of an empty run.
      await awaitStoppedRun(ctx, session);
    }
    await eraseResearch(ctx, id);
    return { success: true };
  },
};
