// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ResearchSession } from "#shared/research/schema.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { aSession, tidesSection } from "./a-session.ts";

async function* nothing(): AsyncGenerator<string> {}

interface Sent {
  notes?: string;
  edit?: { section: string; text: string };
}

function serve(stored: ResearchSession) {
  const server = { stored, isReachable: true };
  const save = ({ notes = server.stored.notes, edit }: Sent) => {
    const edits = edit ? [{ ...edit, edited_at: 1 }] : server.stored.edits;
    server.stored = { ...server.stored, notes, edits };
  };
  return { server, save };
}

/** Opens the session in a new tab of the same browser, in which Ada is signed in. */
async function openInNewTab(id: string, { server, save }: ReturnType<typeof serve>) {
  vi.resetModules();
  const [{ NoResponseError }, { OpenSession }, { setTransport }, { setUser }, drafts] = await Promise.all([
    import("#shared/client/client.ts"),
    import("#webapp/research/open-session.ts"),
    import("#webapp/app/client.ts"),
    import("#webapp/app/session/session.ts"),
    import("#webapp/offline/draft-store.ts"),
  ]);
  setTransport(async ({ endpoint, body }) => {
    if (endpoint.method === "PATCH" && !server.isReachable) throw new NoResponseError("network");
    if (endpoint.method === "PATCH" && body.kind === "json") save(JSON.parse(body.text));
    return {
      text: async () => JSON.stringify({ conversation: server.stored }),
      blob: async () => new Blob(),
      pieces: nothing,
    };
  });
  setUser(ada);
  const live = new OpenSession();
  await live.open(id);
  return { live, listDrafts: () => drafts.listAbandonedDrafts(ada._id, `research:${id}`) };
}

/** Without Web Locks in tests, the age of a draft shows that its tab was closed. */
function letDraftsAge(): void {
  let now = Date.now();
  const later = vi.spyOn(Date, "now").mockImplementation(() => (now += 4000));
  onTestFinished(() => later.mockRestore());
}

test("texts that wait to be sent outlive their tab, and are sent when the session is opened again", async () => {
  const world = serve(aSession({ _id: "kept", sections: [tidesSection], notes: "Plan." }));
  const { server } = world;
  const closed = await openInNewTab("kept", world);
  server.isReachable = false;
  await closed.live.saveNotes("Plan. Ask Tom.");
  expect(await closed.live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  closed.live.leave();
  letDraftsAge();
  await expect.poll(closed.listDrafts).toHaveLength(1);
  const shown = { notes: "Plan. Ask Tom.", edits: [{ section: "r1t1", text: "My words." }] };
  // Changes cannot be sent yet.
  const offline = await openInNewTab("kept", world);
  await expect.poll(() => offline.live.snapshot.session).toMatchObject(shown);
  expect(server.stored).toMatchObject({ notes: "Plan.", edits: [] });
  server.isReachable = true;
  const opened = await openInNewTab("kept", world);
  await expect.poll(() => server.stored).toMatchObject(shown);
  await expect.poll(() => opened.live.snapshot.session).toMatchObject(shown);
});

test("a saved text is removed from the browser's storage", async () => {
  const world = serve(aSession({ _id: "saved", sections: [tidesSection] }));
  const { live, listDrafts } = await openInNewTab("saved", world);
  await live.saveNotes("Plan.");
  letDraftsAge();
  await expect.poll(listDrafts).toEqual([]);
  expect(world.server.stored.notes).toBe("Plan.");
});
