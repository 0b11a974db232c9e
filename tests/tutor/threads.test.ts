import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

async function aThread() {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  await aText(ada, await aPage(ada), "The ribosome reads messenger RNA one codon at a time.");
  const question = aQuestion({ text: "What does the ribosome read?" });
  await ask(ada.client, question);
  return { api, ada, eve, question, threadId: question.threadId };
}

test("a conversation without a title is listed by the beginning of its question", async () => {
  const { ada, threadId } = await aThread();
  expect((await ada.client.tutor.listThreads({})).threads).toMatchObject([
    { _id: threadId, title: "What does the ribosome read", archived: false },
  ]);
  await ada.client.tutor.changeThread({ threadId, title: "Ribosomes" });
  expect((await ada.client.tutor.listThreads({})).threads[0]?.title).toBe("Ribosomes");
});

test("an archived conversation leaves the list and returns when restored", async () => {
  const { ada, threadId } = await aThread();
  await ada.client.tutor.changeThread({ threadId, archived: true });
  expect((await ada.client.tutor.listThreads({})).threads).toEqual([]);
  expect((await ada.client.tutor.listThreads({ archived: "true" })).threads[0]?.archivedAt).not.toBeNull();
  await ada.client.tutor.changeThread({ threadId, archived: false });
  expect((await ada.client.tutor.listThreads({})).threads).toMatchObject([{ archivedAt: null }]);
});

test("deleting a conversation deletes its messages, and deleting it again returns 404", async () => {
  const { ada, threadId } = await aThread();
  await ada.client.tutor.deleteThread({ threadId });
  await expect(ada.client.tutor.getThread({ threadId })).rejects.toMatchObject({ code: "not_found" });
  await expect(ada.client.tutor.deleteThread({ threadId })).rejects.toMatchObject({ code: "not_found" });
});

test("another account finds neither the conversation nor its answer, and may use the same ids", async () => {
  const { ada, eve, question, threadId } = await aThread();
  const missing = { code: "not_found" };
  const { answerId } = question;
  await expect(eve.client.tutor.getThread({ threadId })).rejects.toMatchObject(missing);
  await expect(eve.client.tutor.changeThread({ threadId, title: "Hers" })).rejects.toMatchObject(missing);
  await expect(eve.client.tutor.deleteThread({ threadId })).rejects.toMatchObject(missing);
  await expect(eve.client.tutor.nameThread({ threadId })).rejects.toMatchObject(missing);
  await expect(eve.client.tutor.stopAnswer({ answerId })).rejects.toMatchObject(missing);
  await expect(eve.client.tutor.followAnswer({ answerId }).next()).rejects.toMatchObject(missing);
  const { text: _text, ...again } = question;
  await expect(eve.client.tutor.ask({ ...again, answerId: aQuestion().answerId }).next()).rejects.toMatchObject(
    missing,
  );
  await ask(eve.client, question);
  expect((await ada.client.tutor.getThread({ threadId })).messages).toHaveLength(2);
  expect((await ada.client.tutor.listThreads({})).threads[0]?.title).toBe("What does the ribosome read");
});

test("a question whose parent isn't in the conversation is refused and doesn't count", async () => {
  const { ada, threadId } = await aThread();
  const before = (await ada.client.user.getUsage({})).assistantMessages;
  const lost = aQuestion({ threadId, parent: aQuestion().answerId });
  await expect(ask(ada.client, lost)).rejects.toMatchObject({ code: "not_found" });
  const unknownModel = aQuestion({ threadId, model: "no-such-model" });
  await expect(ask(ada.client, unknownModel)).rejects.toMatchObject({ code: "bad_input" });
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(before);
});

test("asking in a conversation deleted in another tab restores it", async () => {
  const { ada, question, threadId } = await aThread();
  await ada.client.tutor.changeThread({ threadId, archived: true });
  await ask(ada.client, aQuestion({ threadId, parent: question.answerId, text: "And then?" }));
  expect((await ada.client.tutor.listThreads({})).threads).toMatchObject([{ _id: threadId, archivedAt: null }]);
});
