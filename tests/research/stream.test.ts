import { ulid } from "ulid";
import { expect, test } from "vitest";
import { applyResearchEvent } from "#shared/research/apply-event.ts";
import { ResearchEvent } from "#shared/research/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const FACT = "The ribosome reads messenger RNA one codon at a time.";
const BEGIN = "\u0002";
const END = "\u0003";

/** Payload types of a run that ends well, in the words of the specification. */
const TYPES = [
  "conversation_id",
  "title_update",
  "history",
  "current_task_id",
  "tool_instance",
  "file_update",
  "canvas_update",
  "assistant_message_chunk",
  "assistant_message_final",
];

test("the stream sends every payload type between its markers, and nothing outside of them", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), `${FACT} \u0002The ribosome ends a codon with {"type":"error"}.\u0003`);
  const response = await fetch(`${api.origin}/v1/research/`, {
    method: "POST",
    headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      userMessage: "What does the ribosome read?",
      conversationId: null,
      date: new Date(0).toISOString(),
      depthState: "quick",
      messageId: ulid(),
    }),
  });
  const raw = await response.text();
  const payloads = raw.split(BEGIN).slice(1);
  expect(raw.startsWith(BEGIN)).toBe(true);
  expect(payloads.every((payload) => payload.indexOf(END) === payload.length - 1)).toBe(true);
  const events = payloads.map((payload) => ResearchEvent.parse(JSON.parse(payload.slice(0, -1))));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(TYPES));
  expect(events[0]).toMatchObject({ type: "conversation_id" });
  expect(events.at(-1)).toMatchObject({ type: "assistant_message_final", run: { status: "done" } });
  // Stored events are numbered without a gap, so that a client can request the events after its last one.
  expect(events.slice(1).map(({ seq }) => seq)).toEqual(events.slice(1).map((_, at) => at + 1));
});

test("events that are applied in order give the same session as loading it, even if each arrives twice", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), FACT);
  const { conversation: empty } = await ada.client.research.newSession({});
  const question = { conversationId: empty._id, depthState: "standard" as const };
  const { events, session } = await runResearch(ada.client, question);
  const apply = (from: typeof session) =>
    events.reduce((before, event) => applyResearchEvent(before, event) ?? before, from);
  const once = apply(empty);
  const shown = ({
    conversation_title,
    canvas,
    sections,
    citations,
    sources,
    tool_instances,
    files,
  }: typeof session) => ({
    conversation_title,
    canvas,
    sections,
    citations,
    sources,
    files,
    tool_instances: tool_instances.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  });
  expect(shown(once)).toEqual(shown(session));
  expect(shown(apply(once))).toEqual(shown(session));
  expect(session.canvas).toContain(FACT);
});

test("a file is created, written and deleted by its name", async () => {
  const api = await startApi();
  const { conversation: empty } = await (await api.newUser()).client.research.newSession({});
  const put = { seq: 1, type: "file_update" as const, name: "plan.md", content: "1", at: 5 };
  const steps = [
    { ...put, action: "create" as const },
    { ...put, action: "write" as const, content: "2", at: 9 },
    { ...put, action: "create" as const, name: "notes.md" },
    { ...put, action: "delete" as const },
  ];
  const seen = steps.map((_, end) =>
    steps.slice(0, end + 1).reduce((session, event) => applyResearchEvent(session, event) ?? session, empty),
  );
  expect(seen[1]?.files).toEqual([{ name: "plan.md", content: "2", createdAt: 5, updatedAt: 9 }]);
  expect(seen[3]?.files.map(({ name }) => name)).toEqual(["notes.md"]);
});
