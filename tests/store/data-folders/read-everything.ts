import { createHash } from "node:crypto";
import type { V1Client } from "#tests/kit/api.ts";

const sha256 = (bytes: ArrayBuffer) => createHash("sha256").update(new Uint8Array(bytes)).digest("hex");

/** All data of an account as the API returns it to the account. */
export async function readEverything(client: V1Client) {
  const { content } = await client.pages.getContent({});
  const pages = await Promise.all(content.pages.map(({ _id }) => client.pages.getPage({ id: _id })));
  const components = pages.flatMap((page) => page.components).toSorted((a, b) => (a._id < b._id ? -1 : 1));
  const readAllOf = <T>(type: string, read: (id: string) => Promise<T>) =>
    Promise.all(components.filter((component) => component.type === type).map(({ _id }) => read(_id)));
  const { threads } = await client.tutor.listThreads({});
  const { conversations } = await client.research.listConversations({});
  return {
    user: (await client.auth.getUser({})).user,
    preferences: await client.user.getPreferences({}),
    pages: pages.toSorted((a, b) => (a.page._id < b.page._id ? -1 : 1)),
    histories: await readAllOf("text", (id) => client.pages.listHistory({ id })),
    schedules: await readAllOf("flash_cards", async (componentId) => {
      const deck = await client.study.getDeckSchedule({ componentId });
      return { ...deck, schedules: deck.schedules.toSorted((a, b) => (a.cardId < b.cardId ? -1 : 1)) };
    }),
    due: await client.study.getDue({}),
    streak: await client.user.getStreak({}),
    statistics: await client.study.getStatistics({}),
    folders: await client.library.listFolders({}),
    pins: await client.library.getFavorites({}),
    threads: await Promise.all(threads.map(({ _id }) => client.tutor.getThread({ threadId: _id }))),
    documents: await readAllOf("image", async (id) => ({
      annotations: (await client.pdf.listAnnotations({ id })).annotations,
      passages: await client.pdf.getPassages({ id }),
      sha256: sha256(await (await client.pdf.getPdfData({ componentId: id })).arrayBuffer()),
    })),
    sources: await client.library.listSources({}),
    research: await Promise.all(conversations.map(({ _id }) => client.research.getConversation({ id: _id }))),
    accesses: await client.admin.listAccesses({}),
    sessions: (await client.auth.listSessions({})).sessions.length,
  };
}
