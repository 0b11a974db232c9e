// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { setTimeout as pause } from "node:timers/promises";
import { cleanup, waitFor } from "@testing-library/react";
import { ulid } from "ulid";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { plainText } from "#shared/pages/runs.ts";
import { readCachedPage } from "#shared/sync/storage/local-store.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { moveBlocks } from "#webapp/pages/editor/blocks.ts";
import { listAbandonedDrafts, openDraft } from "#webapp/offline/draft-store.ts";
import { queue } from "#webapp/offline/sync.ts";

afterEach(() => cleanup());

type Opened = Awaited<ReturnType<typeof openSession>>;

const append = ({ editor }: Opened, text: string) => {
  const first = editor.state.doc.firstChild?.firstChild;
  editor.view.dispatch(editor.state.tr.insertText(text, 1 + (first?.nodeSize ?? 0) - 1));
};

/** The drafts that count as abandoned ten seconds later; without Web Locks in tests, their age decides. */
async function listDraftsLater() {
  const now = Date.now();
  const later = vi.spyOn(Date, "now").mockReturnValue(now + 10_000);
  try {
    return await listAbandonedDrafts(queue().accountId, "page-1");
  } finally {
    later.mockRestore();
  }
}

test("typed text is stored in the browser within 100 ms, before it is in the queue", async () => {
  const world = new PageWorld([paragraph("a", "The cell"), paragraph("b", "A membrane")]);
  showPage();
  const opened = await openSession();
  append(opened, " divides");
  await pause(100);
  expect(queue().pendingFor("a")).toEqual([]);
  const [row] = await listDraftsLater();
  expect(JSON.stringify(row?.draft)).toContain("The cell divides");
  expect(JSON.stringify(row?.draft)).not.toContain("A membrane");
  // The draft is removed once the queue has the text.
  await opened.session.saver.flush();
  await expect.poll(listDraftsLater).toEqual([]);
  await queue().flush();
  expect(world.sent("component_content_update")).toHaveLength(1);
});

test("text typed before the browser was killed is restored and sent once, and deleted text stays deleted", async () => {
  const world = new PageWorld([paragraph("a", "The cell"), paragraph("b", "A membrane")]);
  showPage();
  await openSession();
  cleanup();
  const draft = { created: [], updated: [paragraph("a", "The cell divides")], deleted: ["b"], bases: { a: 1 } };
  await openDraft(queue().accountId, "page-1").write(draft);
  const now = Date.now();
  const later = vi.spyOn(Date, "now").mockImplementation(() => now + 10_000);
  onTestFinished(() => later.mockRestore());
  showPage();
  await waitFor(async () => expect((await openSession()).session.text()).toBe("The cell divides"));
  await queue().flush();
  const updates = world.sent("component_content_update");
  expect(updates.map(({ data }) => plainText(data.newContent["text"] as never))).toEqual(["The cell divides"]);
  expect(updates[0]?.baseVersion).toBe(1);
  expect(world.sent("component_delete").map(({ resourceId }) => resourceId)).toEqual(["b"]);
  expect(await listDraftsLater()).toEqual([]);
});

test("moved blocks are stored in the browser within 100 ms too", async () => {
  void new PageWorld([paragraph("a", "The cell"), paragraph("b", "A membrane")]);
  showPage();
  const { editor } = await openSession();
  moveBlocks("down")(editor.state, editor.view.dispatch);
  await pause(100);
  const [row] = await listDraftsLater();
  expect(row?.draft).toMatchObject({ order: ["b", "a"] });
});

test("blocks moved before the browser was killed are in their new positions afterwards, including new blocks", async () => {
  const world = new PageWorld([paragraph("a", "The cell"), paragraph("b", "A membrane")]);
  showPage();
  await openSession();
  cleanup();
  const created = [{ block: paragraph("c", "A gene"), index: 1 }];
  const draft = { created, updated: [], deleted: [], order: ["b", "a"], bases: {} };
  await openDraft(queue().accountId, "page-1").write(draft);
  const now = Date.now();
  const later = vi.spyOn(Date, "now").mockImplementation(() => now + 10_000);
  onTestFinished(() => later.mockRestore());
  showPage();
  await waitFor(async () => expect((await openSession()).session.text()).toBe("A membrane\nA gene\nThe cell"));
  await queue().flush();
  expect(world.sent("page_component_sort").map(({ data }) => data.componentIds)).toEqual([["b", "c", "a"]]);
});

const readOffline = async () => (await readCachedPage(queue().accountId, "page-1"))?.components ?? [];

test("a line of a long page is in the offline copy once the server has it, without waiting for a pause in typing", async () => {
  const ids = Array.from({ length: 300 }, () => ulid());
  const world = new PageWorld(ids.map((id, at) => paragraph(id, `Line ${at}.`)));
  showPage();
  const opened = await openSession();
  append(opened, " The cell divides");
  await opened.session.saver.flush();
  await queue().flush();
  expect(world.sent("component_content_update")).toHaveLength(1);
  await expect
    .poll(async () => JSON.stringify((await readOffline())[0]), { timeout: 300 })
    .toContain("The cell divides");
  expect((await readOffline()).map(({ _id }) => _id)).toEqual(ids);
  world.isReachable = false;
  cleanup();
  showPage();
  await waitFor(async () => expect((await openSession()).session.text()).toContain("Line 0. The cell divides"));
});
