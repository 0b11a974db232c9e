import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { messages as messagesCollection } from "#api/tutor/store.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";
import { aDocument, createPodcast, waitUntilMade } from "#tests/podcasts/made-podcast.ts";
import { aPage, aText } from "#tests/store/changes.ts";

type Doc = Record<string, unknown>;
type Files = Record<string, Uint8Array>;

const readDocs = (files: Files, name: string): Doc[] =>
  strFromU8(files[`documents/${name}.jsonl`] ?? new Uint8Array())
    .split("\n")
    .map((line) => JSON.parse(line) as Doc);

const changeDocs = (files: Files, name: string, change: (doc: Doc) => Doc): Files => {
  const lines = readDocs(files, name).map((doc) => JSON.stringify(change(doc)));
  return { ...files, [`documents/${name}.jsonl`]: strToU8(lines.join("\n")) };
};

const exportFiles = async ({ client }: TestUser): Promise<Files> =>
  unzipSync(new Uint8Array(await (await client.user.exportAccount({})).arrayBuffer()));

const importFiles = ({ client }: TestUser, files: Files) =>
  client.user.importAccount({}, [
    { field: "file", file: new Blob([new Uint8Array(zipSync(files, { level: 1 }))]), name: "lamplight.zip" },
  ]);

/** Asks the tutor and researches. */
async function useTutorAndResearch({ client }: TestUser) {
  await aText({ client }, await aPage({ client }, "Proteins"), "The ribosome reads messenger RNA one codon at a time.");
  const question = aQuestion();
  await ask(client, question);
  const { session } = await runResearch(client);
  return { threadId: question.threadId, researchId: session._id };
}

/** A podcast of a German document, which the built-in voices cannot speak. */
async function aFailedPodcast(user: TestUser): Promise<string> {
  const german = "Die Zelle ist die kleinste Einheit des Lebens, die sich selbst vermehren kann.\n".repeat(9);
  const source = { type: "pdf" as const, id: await aDocument(user, `# Zellen\n\n${german}`, "Zellen.pdf") };
  const { _id } = await waitUntilMade(user, (await createPodcast(user, { sources: [source] }))._id);
  return _id;
}

test("work that an archive claims to be running is imported as ended, and refunds no usage", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const [ada, eve] = [await here.newUser(), await there.newUser()];
  const { threadId, researchId } = await useTutorAndResearch(ada);
  const podcastId = await aFailedPodcast(ada);
  await useTutorAndResearch(eve);
  const usedBefore = await eve.client.user.getUsage({});
  expect(usedBefore).toMatchObject({ assistantMessages: 1, researchMessages: 1 });

  const period = new Date(there.clock.now()).toISOString().slice(0, 10);
  const chargedUsage = { counter: "assistantMessages", by: 100, period };
  let files = await exportFiles(ada);
  files = changeDocs(files, "messages", (doc) => ({
    ...doc,
    status: doc["role"] === "assistant" ? "writing" : "done",
  }));
  files = changeDocs(files, "research_sessions", (doc) => ({
    ...doc,
    run: { ...(doc["run"] as Doc), status: "running" },
  }));
  files = changeDocs(files, "podcasts", (doc) => ({ ...doc, status: "generating_audio", chargedUsage }));
  await importFiles(eve, files);
  there.clock.advance(5 * 60_000);

  const { messages } = await eve.client.tutor.getThread({ threadId });
  expect(messages.map(({ status }) => status)).toEqual(["done", "stopped"]);
  const { conversation } = await eve.client.research.getConversation({ id: researchId });
  expect(conversation.run.status).toBe("stopped");
  expect((await eve.client.podcasts.getPodcast({ id: podcastId })).podcast.status).toBe("failed");
  await eve.client.podcasts.deletePodcast({ id: podcastId });
  expect(await eve.client.user.getUsage({})).toEqual(usedBefore);
});

test("running work is exported as ended, so that the archive is complete wherever it is imported", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const [ada, again] = [await here.newUser(), await there.newUser()];
  const question = aQuestion();
  await ask(ada.client, question);
  const collection = here.deps.store.collection(messagesCollection);
  await collection.patch({ _id: `${ada.userId}:${question.answerId}` }, { set: { status: "writing" } });
  const files = await exportFiles(ada);
  expect(readDocs(files, "messages").map(({ status }) => status)).toEqual(expect.arrayContaining(["done", "stopped"]));
  expect(await importFiles(again, files)).toMatchObject({ refused: 0, isWhole: true });
  expect(await importFiles(ada, files)).toMatchObject({ documents: 0, isWhole: true });
});
