import type { CanvasSection, LedgerSource, ResearchCitation, ResearchEvent, ResearchSession } from "./schema.ts";

function mergeBy<T>(items: readonly T[], changed: readonly T[], keyOf: (item: T) => string | number): T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  for (const item of changed) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

const mergeSources = (sources: readonly LedgerSource[], changed: readonly LedgerSource[]) =>
  mergeBy(sources, changed, ({ n }) => n).toSorted((a, b) => a.n - b.n);

function applyCanvas(
  session: ResearchSession,
  { section, text, version, sections, citations, sources }: Extract<ResearchEvent, { type: "canvas_update" }>,
): ResearchSession {
  // A reconnecting client may receive a version that it already has.
  if (version < session.canvas_version) return session;
  const merged: CanvasSection[] =
    section === null ? [...sections] : mergeBy(session.sections, sections, ({ id }) => id);
  const cited: ResearchCitation[] = mergeBy(session.citations, citations, ({ n }) => n);
  return {
    ...session,
    canvas: text,
    canvas_version: version,
    sections: merged,
    citations: cited,
    sources: mergeSources(session.sources, sources),
  };
}

function applyFile(
  session: ResearchSession,
  { action, name, content, at }: Extract<ResearchEvent, { type: "file_update" }>,
): ResearchSession {
  const others = session.files.filter((file) => file.name !== name);
  if (action === "delete") return { ...session, files: others };
  const createdAt = session.files.find((file) => file.name === name)?.createdAt ?? at;
  return { ...session, files: [...others, { name, createdAt, updatedAt: at, content }] };
}

function startTask(session: ResearchSession, taskId: string | null): ResearchSession {
  const sections = session.sections.map((section): CanvasSection =>
    section.id === taskId && section.status === "waiting" ? { ...section, status: "searching" } : section,
  );
  return { ...session, run: { ...session.run, currentTask: taskId }, sections };
}

function endWithError(session: ResearchSession, code: string): ResearchSession {
  const status = code === "cancelled" ? "stopped" : "failed";
  return { ...session, run: { ...session.run, status, currentTask: null } };
}

/** The session after an event; undefined if the type is unknown. Applying an event twice changes nothing. */
export function applyResearchEvent(session: ResearchSession, event: ResearchEvent): ResearchSession | undefined {
  switch (event.type) {
    case "title_update":
      return { ...session, conversation_title: event.title };
    case "history":
      return { ...session, history: mergeBy(session.history, [event.entry], ({ id }) => id) };
    case "current_task_id":
      return startTask(session, event.task_id);
    case "tool_instance":
      return {
        ...session,
        tool_instances: mergeBy(session.tool_instances, [event.tool], ({ id }) => id),
        sources: mergeSources(session.sources, event.sources),
        run: event.run ?? session.run,
      };
    case "file_update":
      return applyFile(session, event);
    case "canvas_update":
      return applyCanvas(session, event);
    case "assistant_message_final":
      return { ...session, run: event.run };
    case "error":
      return endWithError(session, event.code);
    case "conversation_id":
    case "assistant_message_chunk":
      return session;
    default:
      // A newer server may send more types.
      event satisfies never;
      return undefined;
  }
}
