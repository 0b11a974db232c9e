import { formatCanvas, sentencesOf } from "#shared/research/canvas.ts";
import { idleRun, snippetOf } from "#shared/research/rules.ts";
import type {
  LedgerSource,
  ResearchListItem,
  ResearchRunState,
  ResearchSession,
  ResearchSummary,
  SectionEdit,
  SnapshotPassage,
} from "#shared/research/schema.ts";
import type { Language } from "#shared/messages/language.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, Filter, OwnedDoc, Patch } from "#api/store/port.ts";

/** The fields shown in lists. They are stored apart from the contents, so that a thousand sessions are listed fast. */
export interface ResearchSessionDoc extends OwnedDoc, Omit<ResearchSummary, "_id" | "user_id"> {
  sessionId: string;
}

interface Contents extends Omit<ResearchSession, keyof ResearchSummary | "read_only" | "edits"> {
  /** The student's version of a section, by its id; missing in older sessions. */
  edits?: Record<string, { text: string; edited_at: number }>;
}

export interface ContentDoc extends OwnedDoc, Contents {
  sessionId: string;
  /** The language of the latest question, in which headings and notes are written. */
  language: Language;
}

/** What was read of a source; every quote of the canvas is verified against it. */
interface SnapshotDoc extends OwnedDoc {
  sessionId: string;
  n: number;
  /** `library:` and the id of the source, or the address of a page. */
  key: string;
  passages: SnapshotPassage[];
}

const sessions: CollectionSpec<ResearchSessionDoc> = {
  name: "research_sessions",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "is_archived", "last_opened"] }],
};
const contents: CollectionSpec<ContentDoc> = { name: "research_contents", shardKey: "ownerId", indexes: [] };
const snapshots: CollectionSpec<SnapshotDoc> = {
  name: "research_snapshots",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "sessionId", "n"] }],
};

const keyOf = (own: Own, ...parts: (string | number)[]) => [own.ownerId, ...parts].join(":");

export const findResearchSession = (own: Own, sessionId: string) => own.in(sessions).get(keyOf(own, sessionId));

export const findResearchContent = (own: Own, sessionId: string) => own.in(contents).get(keyOf(own, sessionId));

export const listResearchSessions = (own: Own, isArchived: boolean) =>
  own.in(sessions).find({ is_archived: isArchived }, { order: [["last_opened", "desc"]] });

/** All sessions of the account, including archived ones. */
export const listAllResearch = (own: Own) => own.in(sessions).find({}, { order: [["last_opened", "desc"]] });

/** Sessions of any account that were archived before a time. */
export const listArchivedResearch = (store: DocumentStore, before: number) =>
  store.collection(sessions).find({ is_archived: true, archived_at: { lt: before } }, { limit: 200 });

const emptyContents: Contents = {
  history: [],
  canvas: "",
  canvas_version: 0,
  sections: [],
  citations: [],
  sources: [],
  files: [],
  tool_instances: [],
  timeline: [],
  notes: "",
};

/** Creates a session unless there is one with this id. */
export async function insertResearchSession(
  own: Own,
  { sessionId, title, now, run = idleRun }: { sessionId: string; title: string; now: number; run?: ResearchRunState },
  copied: Partial<ContentDoc> = {},
): Promise<void> {
  await own.in(contents).insert({ language: "en", ...emptyContents, ...copied, _id: keyOf(own, sessionId), sessionId });
  await own.in(sessions).insert({
    _id: keyOf(own, sessionId),
    sessionId,
    conversation_title: title,
    created_at: now,
    last_opened: now,
    snippet: snippetOf(copied.canvas ?? ""),
    is_archived: false,
    archived_at: null,
    run,
  });
}

export const patchResearchSession = (own: Own, sessionId: string, set: Partial<ResearchSessionDoc>) =>
  own.in(sessions).patch({ _id: keyOf(own, sessionId) }, { set });

/** Gives a session a title, unless it has one. */
export const nameResearchSession = (own: Own, sessionId: string, title: string) =>
  own
    .in(sessions)
    .patch({ _id: keyOf(own, sessionId), conversation_title: "" }, { set: { conversation_title: title } });

/** Starts a run, unless another is running. */
export const startResearchRun = (own: Own, sessionId: string, run: ResearchRunState) =>
  own
    .in(sessions)
    .patch(
      { _id: keyOf(own, sessionId), "run.status": { in: ["idle", "done", "stopped", "failed"] } },
      { set: { run, last_opened: run.startedAt, is_archived: false, archived_at: null } },
    );

/** Changes the session while this run is running; undefined if it has ended. */
export const patchResearchRun = (own: Own, sessionId: string, runId: string, set: Partial<ResearchSessionDoc>) =>
  own.in(sessions).patch({ _id: keyOf(own, sessionId), "run.id": runId, "run.status": "running" }, { set });

export const patchResearchContent = (own: Own, sessionId: string, set: Partial<ContentDoc>) =>
  own.in(contents).patch({ _id: keyOf(own, sessionId) }, { set });

/** Changes the contents if a condition is met; undefined if it is not. */
export const patchContentIf = (own: Own, sessionId: string, condition: Filter<ContentDoc>, patch: Patch<ContentDoc>) =>
  own.in(contents).patch({ ...condition, _id: keyOf(own, sessionId) }, patch);

/** Adds to the history and the timeline. */
export const appendResearchQuestion = (
  own: Own,
  sessionId: string,
  {
    entry,
    timelineEntry,
    language,
  }: {
    entry: ContentDoc["history"][number];
    timelineEntry: ContentDoc["timeline"][number];
    language: Language;
  },
) =>
  own
    .in(contents)
    .patch(
      { _id: keyOf(own, sessionId) },
      { set: { language }, push: { history: [entry], timeline: [timelineEntry] } },
    );

export async function removeResearchSession(own: Own, sessionId: string): Promise<void> {
  await own.in(snapshots).remove({ sessionId });
  await own.in(contents).remove({ _id: keyOf(own, sessionId) });
  await own.in(sessions).remove({ _id: keyOf(own, sessionId) });
}

export async function saveSnapshot(own: Own, snapshot: Omit<SnapshotDoc, "_id" | "ownerId">): Promise<void> {
  const _id = keyOf(own, snapshot.sessionId, snapshot.n);
  if ((await own.in(snapshots).insert({ ...snapshot, _id })) === "inserted") return;
  await own.in(snapshots).patch({ _id }, { set: snapshot });
}

export const findSnapshot = (own: Own, sessionId: string, n: number) => own.in(snapshots).get(keyOf(own, sessionId, n));

export const listSnapshots = (own: Own, sessionId: string) =>
  own.in(snapshots).find({ sessionId }, { order: [["n", "asc"]] });

/** Ledger numbers by the key of their snapshot. */
export async function listSnapshotKeys(own: Own, sessionId: string): Promise<Record<string, number>> {
  const found = await own.in(snapshots).find({ sessionId }, { fields: ["n", "key"] });
  return Object.fromEntries(found.map(({ key, n }) => [key, n]));
}

export function presentResearchSummary({ _id, ownerId, sessionId, ...summary }: ResearchSessionDoc): ResearchSummary {
  return { ...summary, _id: sessionId, user_id: ownerId };
}

export const presentResearchItem = ({
  sessionId: _id,
  conversation_title,
  created_at,
  last_opened,
  is_archived,
  archived_at,
}: ResearchSessionDoc): ResearchListItem => ({
  _id,
  conversation_title,
  created_at,
  last_opened,
  is_archived,
  archived_at,
});

const presentEdits = ({ edits = {} }: ContentDoc): SectionEdit[] =>
  Object.entries(edits).map(([section, edit]) => ({ section, ...edit }));

export function presentSession(session: ResearchSessionDoc, content: ContentDoc, isReadOnly: boolean): ResearchSession {
  const { _id, ownerId: _owner, sessionId: _session, language, ...contained } = content;
  const { canvas } = contained;
  const text = canvas === "" ? formatCanvas(contained.sections, language) : canvas;
  const edits = presentEdits(content);
  return { ...presentResearchSummary(session), ...contained, edits, canvas: text, read_only: isReadOnly };
}

/** A source as others see it: of one in the owner's library, only what names it. */
const presentSourceToOthers = (source: LedgerSource): LedgerSource =>
  source.via === "library" ? { ...source, sha256: "", revision: null, recheck: null } : source;

/**
 * The contents as others see them: without notes and files of the run, and of the owner's library with only the sources
 * that the canvas quotes and the quoted words.
 */
export function presentToOthers(content: ContentDoc): ContentDoc {
  const isOfLibrary = new Set(content.sources.filter(({ via }) => via === "library").map(({ n }) => n));
  const cited = new Set(sentencesOf(content.sections).flatMap(({ cites }) => cites));
  const citations = content.citations.flatMap((citation) => {
    if (!isOfLibrary.has(citation.source)) return [citation];
    return cited.has(citation.n) ? [{ ...citation, passage: citation.quote, citation: null }] : [];
  });
  const quoted = new Set(citations.map(({ source }) => source));
  const isHidden = (n: number) => isOfLibrary.has(n) && !quoted.has(n);
  const sources = content.sources.flatMap((source): LedgerSource[] => {
    if (isHidden(source.n)) return [];
    // That a page has a copy in the library is hidden as well.
    const isCopyOfHidden = source.copyOf !== null && isHidden(source.copyOf);
    return [presentSourceToOthers(isCopyOfHidden ? { ...source, copyOf: null, status: "read" } : source)];
  });
  return { ...content, citations, sources, notes: "", edits: {}, files: [], tool_instances: [] };
}

/** Adds the results of a re-check to the ledger, by number; sources of a run that has ended meanwhile stay. */
export async function saveRecheck(
  own: Own,
  sessionId: string,
  results: ReadonlyMap<number, LedgerSource["recheck"]>,
): Promise<LedgerSource[]> {
  for (;;) {
    const content = await findResearchContent(own, sessionId);
    if (!content) return [];
    const sources = content.sources.map((source) => ({ ...source, recheck: results.get(source.n) ?? source.recheck }));
    const unchanged = { _id: content._id, canvas_version: content.canvas_version };
    if (await own.in(contents).patch(unchanged, { set: { sources } })) return sources;
  }
}
