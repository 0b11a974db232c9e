import { expect, test } from "vitest";
import { eraseArchivedResearch } from "#api/research/erase-session.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aChange, aPage, aText, send } from "#tests/store/changes.ts";

const FACT = "The ribosome reads messenger RNA one codon at a time.";
const api = await startApi({ forFile: true });

async function aSession() {
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), FACT);
  const { session } = await runResearch(ada.client);
  return {
    ada,
    session,
    id: session._id,
    section: session.sections.find(({ status }) => status === "written")?.id ?? "",
  };
}

const foundSessions = async ({ client }: Awaited<ReturnType<typeof aSession>>["ada"], q: string) =>
  (await client.library.search({ q })).found.filter(({ kind }) => kind === "research");

test("a session is listed with the account's content under the title it was given", async () => {
  const { ada, id } = await aSession();
  await ada.client.research.changeConversation({ id, conversation_title: "Protein factories" });
  const { content } = await ada.client.pages.getContent({});
  expect(content.research_sessions).toMatchObject([
    { _id: id, conversation_title: "Protein factories", is_archived: false },
  ]);
});

test("the search finds a session by its title, its result, its notes and the student's version", async () => {
  const { ada, id, section } = await aSession();
  expect(await foundSessions(ada, "codon")).toMatchObject([{ sourceId: id, text: FACT }]);
  await ada.client.research.changeConversation({ id, conversation_title: "Zymurgy", notes: "Ask about quagmires." });
  await ada.client.research.changeConversation({ id, edit: { section, text: "My own xylophone. [^1]" } });
  for (const word of ["zymurgy", "quagmires", "xylophone"])
    expect([word, (await foundSessions(ada, word)).map(({ sourceId }) => sourceId)]).toEqual([word, [id]]);
  expect((await ada.client.library.search({ q: "codon kind:research" })).found).toHaveLength(1);
  expect((await ada.client.library.search({ q: "codon kind:page" })).found.map(({ kind }) => kind)).toEqual(["page"]);
});

test("a result of research is not a source of the next research", async () => {
  const { ada, session } = await aSession();
  await foundSessions(ada, "codon");
  const { session: second } = await runResearch(ada.client);
  expect(second.sources).toHaveLength(session.sources.length);
  expect(second.sources.every(({ kind }) => kind === "page")).toBe(true);
});

test("sessions of other accounts and archived sessions are not found", async () => {
  const { ada, id } = await aSession();
  const { ada: eve } = await aSession();
  expect((await foundSessions(eve, "codon")).map(({ sourceId }) => sourceId)).not.toContain(id);
  await ada.client.research.changeConversation({ id, is_archived: true });
  expect(await foundSessions(ada, "codon")).toEqual([]);
  await ada.client.research.changeConversation({ id, is_archived: false });
  expect(await foundSessions(ada, "codon")).toHaveLength(1);
});

test("the student's version of a section and the checked text next to it stay unchanged when the session continues", async () => {
  const { ada, id, section, session } = await aSession();
  const text = "Ribosomes read RNA. [^1]";
  await ada.client.research.changeConversation({ id, edit: { section, text } });
  const { session: next } = await runResearch(ada.client, {
    userMessage: "Why is it one codon at a time?",
    conversationId: id,
  });
  expect(next.edits).toMatchObject([{ section, text }]);
  expect(next.sections.find(({ id: found }) => found === section)).toEqual(
    session.sections.find(({ id: found }) => found === section),
  );
  const { conversation } = await ada.client.research.changeConversation({ id, edit: { section, text: null } });
  expect(conversation.edits).toEqual([]);
});

test("only a section that is written can be rewritten, and others do not see the student's version", async () => {
  const { ada, id, section } = await aSession();
  const { ada: eve } = await aSession();
  for (const unknown of ["r9t9", "__proto__", "a.b"])
    await expect(
      ada.client.research.changeConversation({ id, edit: { section: unknown, text: "x" } }),
    ).rejects.toMatchObject({ code: "bad_input" });
  await expect(eve.client.research.changeConversation({ id, edit: { section, text: "x" } })).rejects.toMatchObject({
    code: "not_found",
  });
  await ada.client.research.changeConversation({ id, edit: { section, text: "My secret version." } });
  await ada.client.sharing.putShare({ type: "research_session", id });
  expect((await eve.client.research.getConversation({ id })).conversation.edits).toEqual([]);
});

test("a session leaves its folder when it is archived, and is deleted permanently after thirty days", async () => {
  const { ada, id } = await aSession();
  const folder = "folder-1";
  const item = { item_id: id, item_type: "research_session" as const, created_at: 1 };
  await send(
    ada,
    aChange("folder_create", folder, { title: "Biology", color: "GREEN", createdAt: 1 }),
    aChange("folder_update", folder, { items: [item] }),
  );
  const itemsOf = async () => (await ada.client.library.listFolders({})).folders.flatMap(({ items }) => items);
  expect(await itemsOf()).toMatchObject([item]);
  await ada.client.research.changeConversation({ id, is_archived: true });
  expect(await itemsOf()).toEqual([]);
  api.clock.advance(29 * 86_400_000);
  expect(await eraseArchivedResearch(api.deps)).toBe(0);
  api.clock.advance(2 * 86_400_000);
  expect(await eraseArchivedResearch(api.deps)).toBe(1);
  await expect(ada.client.research.getConversation({ id })).rejects.toMatchObject({ code: "not_found" });
});
