import { ulid } from "ulid";
import { expect, test } from "vitest";
import { exportBibtex } from "#shared/research/export.ts";
import { startApi } from "#tests/kit/api.ts";
import { aResearchQuestion, runResearch } from "#tests/kit/research.ts";
import { aChange, aPage, aText, send } from "#tests/store/changes.ts";

const FACT = "The ribosome reads messenger RNA one codon at a time.";
const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });

async function aStudent(plan: "FREE" | "PLUS" | "ULTIMATE" = "ULTIMATE") {
  const ada = await api.newUser({ plan });
  await aText(ada, await aPage(ada), FACT);
  return ada;
}

/** Reads a stream to its end; resolves to its failure, or undefined. */
async function failureOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of stream);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("on the free plan one question a day is researched, and the second is refused with the specification's message", async () => {
  const ada = await aStudent("FREE");
  await runResearch(ada.client);
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
  const refusal = await failureOf(ada.client.research.sendResearch(aResearchQuestion()));
  expect(refusal).toMatchObject({
    code: "limit_reached",
    message: "You've reached your daily research limit. Please upgrade to continue.",
    data: { limit: "researchMessages", most: 1 },
  });
  const { conversations } = await ada.client.research.listConversations({});
  expect(conversations.filter(({ run }) => run.id !== "")).toHaveLength(1);
});

test("of thirty questions at once, one uses the limit of the day, and the others are refused", async () => {
  const ada = await aStudent("FREE");
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => failureOf(ada.client.research.sendResearch(aResearchQuestion()))),
  );
  expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
});

test("the same question sent ten times at once is one run, counted once", async () => {
  const ada = await aStudent("PLUS");
  const question = aResearchQuestion({ messageId: ulid() });
  await Promise.all(Array.from({ length: 10 }, () => failureOf(ada.client.research.sendResearch(question))));
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
  const { conversations } = await ada.client.research.listConversations({});
  expect(conversations).toHaveLength(1);
  const { conversation } = await ada.client.research.getConversation({ id: conversations[0]?._id ?? "" });
  expect(conversation.history.filter(({ creator }) => creator === "user")).toHaveLength(1);
});

test("only its owner can read, follow, stop or continue a session", async () => {
  const [ada, eve] = [await aStudent(), await aStudent()];
  const { session } = await runResearch(ada.client);
  const id = session._id;
  const missing = { code: "not_found" };
  await expect(eve.client.research.getConversation({ id })).rejects.toMatchObject(missing);
  await expect(eve.client.research.cancelResearch({ id })).rejects.toMatchObject(missing);
  await expect(eve.client.research.readSnapshot({ id, n: 1 })).rejects.toMatchObject(missing);
  expect(await failureOf(eve.client.research.followResearch({ id }))).toMatchObject(missing);
  const intruding = aResearchQuestion({ conversationId: id });
  expect(await failureOf(eve.client.research.sendResearch(intruding))).toMatchObject(missing);
  expect(await eve.client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
  expect((await ada.client.research.getConversation({ id })).conversation.history).toEqual(session.history);
});

test("a client that returns gets the events after its last one, and can follow the run to its end", async () => {
  const ada = await aStudent();
  const { events, session } = await runResearch(ada.client);
  const after = events[3]?.seq ?? 0;
  const again = [];
  for await (const event of ada.client.research.followResearch({ id: session._id, after })) again.push(event);
  expect(again).toEqual(events.filter(({ seq }) => seq > after));
});

test("a session is renamed, archived, restored, copied and deleted permanently", async () => {
  const ada = await aStudent();
  const { session } = await runResearch(ada.client);
  const id = session._id;
  await ada.client.research.changeConversation({ id, conversation_title: "Ribosomes", notes: "My own words." });
  const { conversation: copy } = await ada.client.research.duplicateConversation({ id });
  expect(copy).toMatchObject({ conversation_title: "Ribosomes", canvas: session.canvas, notes: "My own words." });
  expect(copy.run).toEqual(session.run);
  expect((await ada.client.research.readSnapshot({ id: copy._id, n: 1 })).passages[0]?.text).toBe(FACT);
  await ada.client.research.changeConversation({ id, is_archived: true });
  expect((await ada.client.research.listConversations({})).conversations.map(({ _id }) => _id)).toEqual([copy._id]);
  expect((await ada.client.research.listConversations({ archived: "true" })).conversations).toHaveLength(1);
  await ada.client.research.changeConversation({ id, is_archived: false });
  await ada.client.research.deleteConversation({ id });
  await expect(ada.client.research.getConversation({ id })).rejects.toMatchObject({ code: "not_found" });
});

test("a question without a topic is asked back once, and the answer is combined with the question", async () => {
  const ada = await aStudent();
  const first = await ada.client.research.plan({ messages: [{ role: "user", content: "photosynthesis" }] });
  expect(first).toMatchObject({
    result: "clarification",
    message: "What would you like to know about “photosynthesis”?",
  });
  const second = await ada.client.research.plan({
    messages: [
      { role: "user", content: "photosynthesis" },
      { role: "assistant", content: first.message },
      { role: "user", content: [{ type: "text", text: "how it makes sugar" }] },
    ],
  });
  expect(second).toEqual({
    result: "done",
    message: "photosynthesis: how it makes sugar",
    shortDescription: "photosynthesis: how it makes sugar",
  });
  const clear = await ada.client.research.plan({ messages: [{ role: "user", content: "How do plants make sugar?" }] });
  expect(clear.result).toBe("done");
});

test("a re-check says which sources are the same, which changed and which are gone", async () => {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Stays"), FACT);
  const goes = await aPage(ada, "Goes");
  await aText(ada, goes, "The ribosome reads the codons that stand behind one another.");
  const { session } = await runResearch(ada.client);
  await send(ada, aChange("page_delete", goes, {}));
  const { sources } = await ada.client.research.recheckSources({ id: session._id });
  expect(Object.fromEntries(sources.map(({ title, recheck }) => [title, recheck?.state]))).toEqual({
    Stays: "same",
    Goes: "gone",
  });
});

test("a shared session is read by others, who neither send to it nor see notes and library, and may copy it", async () => {
  const [ada, eve] = [await aStudent(), await aStudent()];
  const { session } = await runResearch(ada.client);
  const id = session._id;
  await ada.client.research.changeConversation({ id, notes: "Private notes." });
  const { share } = await ada.client.sharing.putShare({ type: "research_session", id });
  const { conversation } = await eve.client.research.getConversation({ id });
  expect(conversation).toMatchObject({ read_only: true, canvas: session.canvas, notes: "", user_id: ada.userId });
  expect(conversation.citations.every(({ citation }) => citation === null)).toBe(true);
  await expect(eve.client.research.readSnapshot({ id, n: 1 })).rejects.toMatchObject({ code: "not_found" });
  const intruding = aResearchQuestion({ conversationId: id });
  expect(await failureOf(eve.client.research.sendResearch(intruding))).toMatchObject({ code: "not_found" });
  const { conversation: copy } = await eve.client.research.duplicateConversation({ id });
  expect(copy).toMatchObject({ read_only: false, canvas: session.canvas, user_id: eve.userId });
  // Anyone with the link reads the canvas.
  const { shared } = await api.clientFor().sharing.openShare({ share: share._id });
  expect(JSON.stringify(shared.components)).toContain(FACT);
  expect(JSON.stringify(shared)).not.toContain("Private notes");
  await ada.client.sharing.endShare({ type: "research_session", id });
  await expect(eve.client.research.getConversation({ id })).rejects.toMatchObject({ code: "not_found" });
});

test("readers of a shared session see no library source that is not quoted, and a copy can be continued", async () => {
  const ada = await api.newUser({ plan: "ULTIMATE" });
  await aText(ada, await aPage(ada, "Letters to my doctor"), "A ribosome was on the poster of the waiting room.");
  await aText(ada, await aPage(ada, "Cells"), FACT);
  await aText(ada, await aPage(ada, "Diary"), "Tom explained the word ribosome to me.");
  const { session } = await runResearch(ada.client);
  const quoted = session.sources.find(({ title }) => title === "Cells");
  expect(session.sources).toHaveLength(3);
  expect(new Set(session.citations.map(({ source }) => source))).toEqual(new Set([quoted?.n]));
  await ada.client.sharing.putShare({ type: "research_session", id: session._id });
  const eve = await api.newUser({ plan: "ULTIMATE" });
  const { conversation: shared } = await eve.client.research.getConversation({ id: session._id });
  const { conversation: copy } = await eve.client.research.duplicateConversation({ id: session._id });
  for (const read of [shared, copy]) {
    expect(read.sources).toMatchObject([{ n: quoted?.n, title: "Cells", sha256: "", revision: null, recheck: null }]);
    expect(JSON.stringify(read)).not.toMatch(/doctor|Diary/);
    expect(exportBibtex(read.sources)).toContain("Cells");
  }
  // The numbers that are missing in the copy do not make new sources and citations replace old ones.
  await aText(eve, await aPage(eve, "My notes"), "The ribosome of a bacterium contains 55 proteins.");
  const { session: continued } = await runResearch(eve.client, {
    userMessage: "How many proteins does the ribosome of a bacterium contain?",
    conversationId: copy._id,
  });
  expect(continued.sources.map(({ title }) => title).toSorted()).toEqual(["Cells", "My notes"]);
  expect(continued.citations.map(({ quote }) => quote)).toEqual(expect.arrayContaining([FACT]));
  expect(continued.canvas).toContain("55 proteins");
});

test("a saved text is announced with its request id as a change of text only, and a new title is not", async () => {
  const ada = await api.newUser({});
  const { conversationId: id } = await ada.client.research.newSession({ conversation_title: "Tides" });
  const stopping = new AbortController();
  const stream = ada.client.sync.followChanges({}, { signal: stopping.signal });
  const next = async () => (await stream.next()).value;
  await next();
  await ada.client.research.changeConversation({ id, notes: "Plan.", notes_base: "", request_id: "one" });
  expect(await next()).toMatchObject({
    changes: [{ kind: "research", ids: [id], requestId: "one", isTextOnly: true }],
  });
  await ada.client.research.changeConversation({ id, conversation_title: "Ebb" });
  expect(await next()).toHaveProperty("changes", [{ kind: "research", ids: [id] }]);
  stopping.abort();
});

test("a version of a section that is as long as two combined ones can be changed again", async () => {
  const ada = await aStudent();
  const { session } = await runResearch(ada.client);
  const section = session.sections.find(({ status }) => status === "written")?.id ?? "";
  const change = (text: string, base: string | null) =>
    ada.client.research.changeConversation({ id: session._id, edit: { section, text, base } });
  const [mine, others] = ["a".repeat(19_000), "b".repeat(19_000)];
  await change(mine, null);
  const { conversation } = await change(others, null);
  const [combined] = conversation.edits;
  const text = `${combined?.text} And more.`;
  expect((await change(text, combined?.text ?? null)).conversation.edits).toMatchObject([{ section, text }]);
});

test("notes and versions of sections that two tabs wrote from the same text are both kept", async () => {
  const ada = await aStudent();
  const { session } = await runResearch(ada.client);
  const id = session._id;
  const change = ada.client.research.changeConversation;
  await change({ id, notes: "Plan.", notes_base: "" });
  await change({ id, notes: "Plan. Ask Tom.", notes_base: "Plan." });
  // The other tab still shows "Plan.", and sends its request twice because the first answer was lost.
  const other = { id, notes: "Plan. Buy a book.", notes_base: "Plan." };
  await change(other);
  const { conversation: noted } = await change(other);
  expect(noted.notes).toBe("Plan. Ask Tom.\n\nBuy a book.");
  const section = session.sections.find(({ status }) => status === "written")?.id ?? "";
  const versionOf = ({ edits }: typeof session) => edits.find((edit) => edit.section === section)?.text;
  await change({ id, edit: { section, text: "My words.", base: null } });
  const { conversation: edited } = await change({ id, edit: { section, text: "Other words.", base: null } });
  expect(versionOf(edited)).toBe("My words.\n\nOther words.");
  // A version that was written meanwhile is not discarded for the checked text.
  const { conversation: merged } = await change({ id, edit: { section, text: null, base: "My words." } });
  expect(versionOf(merged)).toBe("My words.\n\nOther words.");
  const { conversation: restored } = await change({
    id,
    edit: { section, text: null, base: versionOf(merged) ?? null },
  });
  expect(versionOf(restored)).toBeUndefined();
});
