// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { plainText } from "#shared/pages/runs.ts";
import { Component } from "#shared/pages/schema.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { setTransport } from "#webapp/app/client.ts";
import { notifyRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { queue, reloadPage } from "#webapp/offline/sync.ts";
import { PageSession } from "#webapp/pages/session/page-session.ts";

afterEach(async () => {
  cleanup();
  await queue().flush();
});

type Opened = Awaited<ReturnType<typeof openSession>>;

const firstLine = ({ session }: Opened) => session.text().split("\n")[0];
const append = ({ editor }: Opened, text: string) =>
  editor.view.dispatch(
    editor.state.tr.insertText(text, 1 + (editor.state.doc.firstChild?.firstChild?.nodeSize ?? 0) - 1),
  );
const sentTexts = (world: PageWorld) =>
  world.sent("component_content_update").map(({ data }) => plainText(data.newContent["text"] as never));

test("text being written to disk stays when an older page arrives", async () => {
  const world = new PageWorld([paragraph("a", "The cell")]);
  showPage();
  const opened = await openSession();
  const { saver } = opened.session;
  await saver.flush();
  append(opened, " divides");
  const saved = saver.flush();
  // Waits for one microtask only, because after a longer wait the text may already be on disk.
  await Promise.resolve();
  expect(saver.inFlight).toBeDefined();
  opened.session.receivePage(world.components);
  opened.session.receive("a", world.components[0]?.content ?? {}, 1);
  expect(firstLine(opened)).toBe("The cell divides");
  await saved;
  append(opened, " slowly");
  await opened.session.saver.flush();
  await queue().flush();
  expect(sentTexts(world).at(-1)).toBe("The cell divides slowly");
});

test("text acknowledged while an older page was loading stays", async () => {
  const world = new PageWorld([paragraph("a", "The cell")]);
  showPage();
  const opened = await openSession();
  await waitFor(() => expect(world.log).toContain("page_update"));
  const pending: (() => void)[] = [];
  setTransport(world.transportAfter(({ path }) => path === "/v1/pages/page-1" && pending));
  const reloaded = reloadPage("page-1");
  await waitFor(() => expect(pending).toHaveLength(1));
  append(opened, " divides");
  await opened.session.saver.flush();
  await queue().flush();
  expect(queue().pendingFor("a")).toEqual([]);
  pending[0]?.();
  await reloaded;
  expect(firstLine(opened)).toBe("The cell divides");
});

test.each([
  ["is fetched again, and shown", 60_000, () => {}],
  ["is fetched as soon as another change arrives", 100, () => notifyRemoteChanges([{ kind: "content", ids: ["a"] }])],
] as const)("a change from another device that could not be fetched %s", async (_, waitMs, arrive) => {
  const world = new PageWorld([paragraph("a", "The cell")]);
  showPage();
  const opened = await openSession();
  await waitFor(() => expect(world.log).toContain("page_update"));
  const [cell] = world.components;
  world.answers.set("/v1/pages/components/a", () => ({
    component: { ...cell, ...paragraph("a", "The cell divides"), version: 2 },
  }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    world.isReachable = false;
    notifyRemoteChanges([{ kind: "content", ids: ["a"] }]);
    await vi.advanceTimersByTimeAsync(100);
    world.isReachable = true;
    expect(firstLine(opened)).toBe("The cell");
    arrive();
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(firstLine(opened)).toBe("The cell divides");
  } finally {
    vi.useRealTimers();
  }
});

test("text typed just before leaving the page is saved", async () => {
  const world = new PageWorld([paragraph("a", "The cell")]);
  const page = showPage();
  const opened = await openSession();
  append(opened, " divides");
  page.unmount();
  showPage();
  const reopened = await openSession();
  expect(firstLine(reopened)).toBe("The cell divides");
  await queue().flush();
  expect(sentTexts(world)).toEqual(["The cell divides"]);
});

test("a title and a card edited just before leaving the page are saved", async () => {
  const card = { id: "card-1", question: "What is a gene?", answer: "", questionImage: null, citation: null };
  const content = { title: "Key terms", cards: [card], minimized: false };
  const world = new PageWorld([paragraph("a", "The cell"), { _id: "deck-1", type: "flash_cards", content }]);
  const page = showPage();
  await openSession();
  fireEvent.change(await screen.findByRole("textbox", { name: "Page title" }), { target: { value: "Genes" } });
  const answer = (await screen.findAllByRole("textbox", { name: /Answer/ }))[0] as HTMLElement;
  fireEvent.change(answer, { target: { value: "A stretch of DNA" } });
  page.unmount();
  await waitFor(() => expect(queue().pendingFor("deck-1")).toHaveLength(1));
  await queue().flush();
  expect(world.sent("page_update").map(({ data }) => data.title)).toContain("Genes");
  expect(JSON.stringify(world.sent("component_content_update"))).toContain("A stretch of DNA");
});

test("the editor opens with the content that arrived before it was ready", () => {
  const base = { pageId: "page-1", createdAt: 1, modifiedAt: 1, createdBy: "ada" };
  const [stored, newer, newest] = ["kept here", "from the server", "from another tab"].map((text, n) =>
    Component.parse({ ...base, ...paragraph("a", text), version: n + 1 }),
  ) as [Component, Component, Component];
  const session = new PageSession({
    pageId: "page-1",
    userId: "ada",
    components: [stored],
    writer: {} as ConstructorParameters<typeof PageSession>[0]["writer"],
    newId: () => "new",
    onState: () => undefined,
    stash: () => undefined,
    draft: { write: async () => undefined, remove: async () => undefined, hold: () => () => undefined },
  });
  session.receivePage([newer]);
  expect(session.blocks()).toMatchObject([{ content: newer.content }]);
  session.receive("a", newest.content, 3);
  expect(session.blocks()).toMatchObject([{ content: newest.content }]);
});

test("text restored from a lost tab is sent with the version it was based on", async () => {
  const world = new PageWorld([paragraph("a", "The cell")]);
  showPage();
  const opened = await openSession();
  append(opened, " divides");
  window.dispatchEvent(new Event("pagehide"));
  const [name = ""] = Object.keys(localStorage).filter((key) => key.startsWith("lamplight_last_edits_"));
  const stashed = localStorage.getItem(name) ?? "";
  cleanup();
  await waitFor(() => expect(sentTexts(world)).toHaveLength(1));
  world.requests.length = 0;
  // Another device changes the line before the student returns to this browser.
  world.components = world.components.map((component) => ({
    ...component,
    ...paragraph("a", "The cell rests"),
    version: 7,
  }));
  showPage();
  await waitFor(async () => expect(firstLine(await openSession())).toBe("The cell rests"));
  cleanup();
  localStorage.setItem(name, stashed);
  showPage();
  await waitFor(() => expect(sentTexts(world)).toEqual(["The cell divides"]));
  expect(world.sent("component_content_update")[0]?.baseVersion).toBe(1);
});
