// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { NoResponseError } from "#shared/client/client.ts";
import { diskOrMemory } from "#shared/sync/storage/fallback-storage.ts";
import { diskStorage } from "#shared/sync/storage/local-store.ts";
import { createSyncQueue } from "#shared/sync/queue.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

afterEach(async () => {
  cleanup();
  await queue().flush();
});

/** Pastes as a browser does, as far as the test environment can. */
function paste(view: Awaited<ReturnType<typeof openSession>>["editor"]["view"], data: Record<string, string>) {
  const clipboardData = new DataTransfer();
  for (const [type, value] of Object.entries(data)) clipboardData.setData(type, value);
  view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

const alerts = () => store.get(alertsAtom).map(({ message }) => message);

describe("a paste of ten megabytes", () => {
  test("of text is refused with a message, and the page is unchanged", async () => {
    const world = new PageWorld([paragraph("n1", "one")]);
    showPage();
    const { editor, session } = await openSession();
    paste(editor.view, { "text/plain": "a line of a long book\n".repeat(500_000) });
    expect(alerts()).toContain("This text is too long to paste. Upload it as a file, or paste it in parts.");
    expect(session.text()).toBe("one");
    await session.saver.flush();
    expect(world.requests).toEqual([]);
  });

  test("with little text is accepted: another program's markup doesn't count", async () => {
    const world = new PageWorld([paragraph("n2", "one")]);
    showPage();
    const { editor, session } = await openSession();
    editor.commands.setTextSelection(5);
    const html = `<!-- ${"p { margin: 0 } ".repeat(600_000)} --><h2>Osmosis</h2><p>Water moves.</p>`;
    expect(html.length).toBeGreaterThan(9_000_000);
    paste(editor.view, { "text/html": html, "text/plain": "Osmosis\nWater moves." });
    await expect.poll(() => session.text()).toBe("one\nOsmosis\nWater moves.");
    await session.saver.flush();
    await queue().flush();
    expect(world.sent("component_create")).toHaveLength(2);
  });

  test("of several thousand lines is accepted, each as a block with its own id", async () => {
    const world = new PageWorld([paragraph("n3", "one")]);
    showPage();
    const { editor, session } = await openSession();
    editor.commands.setTextSelection(5);
    paste(editor.view, { "text/plain": Array.from({ length: 3000 }, (_, i) => `Line ${i} of it.`).join("\n") });
    await session.saver.flush();
    const ids = session.blocks().map(({ _id }) => _id);
    expect(ids).toHaveLength(3000);
    expect(new Set(ids).size).toBe(3000);
    expect(world.page.title).toBe("Biology");
  });
});

describe("a browser whose storage is full", () => {
  test("shows a notice, keeps the text on the screen and sends it; once there is space it is stored again", async () => {
    const world = new PageWorld([paragraph("n4", "one")]);
    showPage();
    const { editor, session } = await openSession();
    const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    });
    world.isReachable = false;
    editor.commands.setTextSelection(5);
    editor.commands.insertContent(" and two");
    await session.saver.flush();
    await screen.findByText("Not saved yet. This device is out of space, so keep this page open");
    expect(session.text()).toBe("one and two");
    world.isReachable = true;
    await queue().flush();
    expect(world.sent("component_content_update").at(-1)?.resourceId).toBe("n4");
    await screen.findByText("Saved");
    put.mockRestore();
    editor.commands.insertContent(" and three");
    await session.saver.flush();
    await queue().flush();
    expect(world.sent("component_content_update")).toHaveLength(2);
    await screen.findByText("Saved");
  });
});

describe("a browser that denies storage", () => {
  test("sends changes at once, reports when it can't, and loses none", async () => {
    vi.resetModules();
    const notes: string[] = [];
    const denied = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    });
    const storage = diskOrMemory({
      disk: diskStorage,
      isDenied: (await import("#shared/sync/storage/local-store.ts")).isDiskDenied,
      onDenied: () => notes.push("denied"),
      newClientId: () => "tab",
    });
    const sent: string[] = [];
    let isReachable = false;
    const queueHere = createSyncQueue({
      accountId: "ann",
      storage,
      send: async (batches) => {
        if (!isReachable) throw new NoResponseError("network");
        const requests = batches.flatMap((batch) => batch.requests);
        sent.push(...requests.map(({ resourceId }) => resourceId));
        return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
      },
      clock: { now: () => 1 },
      schedule: () => () => undefined,
      random: () => 0.5,
      lock: (_name, work) => work(),
      online: () => true,
    });
    await queueHere.start();
    await queueHere.enqueue("page_update", "page-1", { title: "Cells" });
    expect(notes).toEqual(["denied"]);
    await queueHere.flush();
    expect([queueHere.status().unsaved, sent]).toEqual([1, []]);
    isReachable = true;
    await queueHere.connectionChanged();
    await queueHere.flush();
    expect([queueHere.status().unsaved, sent]).toEqual([0, ["page-1"]]);
    denied.mockRestore();
  });
});
