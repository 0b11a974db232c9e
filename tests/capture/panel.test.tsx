// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Capture } from "#extension/capture/store.ts";

/** Listeners of the browser's tab events. */
const onTabEvents = new Set<(event: object) => void>();
const event = { addListener: () => undefined, removeListener: () => undefined };
let shownTab = { id: 1, windowId: 1, url: "https://lectures.example.org/cells", title: "Cells" };
Object.assign(globalThis, {
  chrome: {
    runtime: { getContexts: async () => [{}] },
    action: { onClicked: event },
    extension: { isAllowedFileSchemeAccess: async () => false },
    permissions: { contains: async () => true, onAdded: event, onRemoved: event },
    tabs: {
      query: async () => [shownTab],
      get: async () => shownTab,
      onActivated: { ...event, addListener: (listener: (activated: object) => void) => onTabEvents.add(listener) },
      onUpdated: event,
    },
  },
  reportError: (error: unknown) => {
    throw error;
  },
  fetch: async () => {
    throw new TypeError("Failed to fetch");
  },
});

const draft: Capture = {
  id: "01CAPTURE00000000000000001",
  kind: "card",
  state: "draft",
  accountId: "ada",
  address: "https://lectures.example.org/cells",
  title: "Cells",
  author: null,
  capturedAt: 1_700_000_000_000,
  locator: { quote: "Ribosomes read codons." },
  card: { question: "What reads codons?", answer: "Ribosomes" },
  problem: null,
  notice: null,
  resources: [],
  pageId: null,
  componentId: null,
};

const showTab = (tab: Partial<typeof shownTab>) => {
  shownTab = { ...shownTab, ...tab };
  for (const listener of onTabEvents) listener({ tabId: shownTab.id });
};

/** The side panel of a student who has a proposed card and a deck that is due. */
async function aPanel() {
  const [{ PanelContent }, { words }, captures, disk, library] = await Promise.all([
    import("#extension/entrypoints/sidepanel/panel-content.tsx"),
    import("#extension/words/words.ts"),
    import("#extension/capture/store.ts"),
    import("#extension/app/settings-store.ts"),
    import("#extension/library/store.ts"),
  ]);
  await captures.saveCapture(draft, { text: "Ribosomes read codons." });
  await disk.writeSetting("account", { accountId: "ada", name: "Ada", email: "", token: "token", hasEnded: false });
  await library.addCaptures("ada", [], { upTo: 1, readAt: 1 });
  const counts = { title: "Genes", due: 3, fresh: 0, total: 3 };
  await library.setDecks("ada", [{ accountId: "ada", componentId: "deck", pageId: "page", ...counts }]);
  render(<PanelContent isConnected />);
  return { words, captures, show: showTab, user: userEvent.setup() };
}

afterEach(() => cleanup());

test("a card being rewritten is unchanged after a study session", async () => {
  const { words, user } = await aPanel();
  const question = await screen.findByLabelText<HTMLTextAreaElement>(words.question);
  await user.type(question, " And mRNA?");
  await user.click(await screen.findByRole("button", { name: "Study Genes" }));
  const back = await screen.findByRole("button", { name: words.study_back });
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(back);
  expect((await screen.findByLabelText<HTMLTextAreaElement>(words.question)).value).toBe(
    "What reads codons? And mRNA?",
  );
});

test("Enter that confirms the text of an input method does not save the card", async () => {
  const { words, captures } = await aPanel();
  const question = await screen.findByLabelText(words.question);
  fireEvent.keyDown(question, { key: "Enter", isComposing: true });
  // A later write, so that a save by the key would be on disk before it.
  await captures.changeCapture(draft.id, { title: "Cells" });
  expect((await captures.readCapture(draft.id))?.state).toBe("draft");
  fireEvent.change(question, { target: { value: "コドン?" } });
  fireEvent.keyDown(question, { key: "Enter" });
  await expect.poll(async () => (await captures.readCapture(draft.id))?.state).toBe("ready");
  expect((await captures.readCapture(draft.id))?.card?.question).toBe("コドン?");
});

test("the choice of a PDF's pages closes when another tab is shown", async () => {
  const { words, show, user } = await aPanel();
  show({ url: "https://lectures.example.org/lecture-9.pdf" });
  await user.click(await screen.findByRole("button", { name: words.more }));
  await user.click(await screen.findByRole("menuitem", { name: words.cards_of_pdf }));
  expect(await screen.findByLabelText(words.pdf_pages)).toBeTruthy();
  show({ id: 2, url: "https://lectures.example.org/leaves" });
  await expect.poll(() => screen.queryByLabelText(words.pdf_pages)).toBeNull();
});
