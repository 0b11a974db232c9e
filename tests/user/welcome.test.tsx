// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { rememberRoute, resolveReturnPath } from "#webapp/app/session/return-path.ts";
import { addAdoptedPage } from "#webapp/flashcards/pending/adopted-pages.ts";
import { ada, noNetwork, openApp, type Answers } from "#tests/kit/browser/web.tsx";

const newcomer = { ...ada, onboardingComplete: false };

/** A server for which Ada is new until onboarding is saved, and which accepts every change. */
function serverWithNewcomer(more: Answers = {}) {
  let user = newcomer;
  const sent: SyncRequest[] = [];
  const answers: Answers = {
    auth: { getUser: () => ({ user, organization: null, tempToken: "temp" }) },
    user: {
      saveSettings: (change) => {
        user = { ...user, ...change };
        return { user };
      },
    },
    sync: {
      sendBatches: ({ batches }) => {
        const requests = (batches as { requests: SyncRequest[] }[]).flatMap((batch) => batch.requests);
        sent.push(...requests);
        return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
      },
    },
    ...more,
  };
  return { answers, sent, isWelcomed: () => user.onboardingComplete };
}

const press = async (name: string) => userEvent.setup().click(await screen.findByRole("button", { name }));

test("new students are sent to onboarding from any screen and return there afterwards", async () => {
  const { answers, isWelcomed, sent } = serverWithNewcomer();
  const app = await openApp("/connections", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "What do you want to learn first?" });
  expect(screen.getByText("Welcome, Ada")).toBeDefined();
  expect(app.address()).toBe("/onboarding?from=%2Fconnections");
  await press("Start with an empty page");
  await press("Create page");
  await waitFor(() => expect(app.address()).toBe("/connections"));
  expect(isWelcomed()).toBe(true);
  await waitFor(() => expect(sent.some(({ type }) => type === "folder_update")).toBe(true));
});

test("onboarding opens the page with what the student brought from a free tool", async () => {
  const { answers, isWelcomed } = serverWithNewcomer();
  const app = await openApp("/home", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "What do you want to learn first?" });
  act(() => addAdoptedPage({ pageId: "01J00000000000000000000000", message: "30 cards are on the new page “Cells”." }));
  await userEvent.setup().click(screen.getByRole("checkbox", { name: /Add a sample to explore/u }));
  expect(screen.getByRole("status").textContent).toContain("30 cards are on the new page “Cells”.");
  const main = screen.getAllByRole("button").filter(({ className }) => className.includes("button-primary"));
  expect(main.map(({ textContent }) => textContent)).toEqual(["Open the page"]);
  await press("Open the page");
  await waitFor(() => expect(app.address()).toBe("/page/01J00000000000000000000000"));
  expect(isWelcomed()).toBe(true);
});

test("a sample that cannot be loaded does not stop onboarding from opening the page of a free tool", async () => {
  const { answers } = serverWithNewcomer();
  onTestFinished(() => {
    vi.doUnmock("#webapp/user/sample-content.ts");
  });
  vi.doMock("#webapp/user/sample-content.ts", () => ({ addSample: () => Promise.reject(new Error("no network")) }));
  const app = await openApp("/home", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "What do you want to learn first?" });
  act(() => addAdoptedPage({ pageId: "01J00000000000000000000000", message: "30 cards are on the new page “Cells”." }));
  await press("Open the page");
  await waitFor(() => expect(app.address()).toBe("/page/01J00000000000000000000000"));
  await screen.findByText("The sample could not be added. You can add it later in the settings.");
});

test("onboarding ends on the student's own page, with sample content unless declined", async () => {
  const { answers, sent } = serverWithNewcomer();
  const app = await openApp("/home", { signedIn: true, answers });
  await userEvent.setup().click(await screen.findByRole("checkbox", { name: /Add a sample to explore/u }));
  await press("Start with an empty page");
  await userEvent.setup().type(await screen.findByLabelText("Title"), "Cells");
  await press("Create page");
  await waitFor(() => expect(app.address()).toMatch(/^\/page\//u));
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  const created = sent.filter(({ type }) => type === "page_create");
  expect(created.map(({ data }) => (data as { title: string }).title)).toEqual(["Cells"]);
});

test("missing notes are requested at the field", async () => {
  const { answers } = serverWithNewcomer();
  await openApp("/home", { signedIn: true, answers });
  await press("Paste notes");
  await press("Create page");
  await screen.findByText("Paste a few sentences, or go back and start with an empty page.");
});

const makePageFromNotes = async () => {
  await press("Paste notes");
  await userEvent.setup().type(await screen.findByLabelText("Notes"), "Mitochondria make the energy of the cell.");
  await press("Create page");
};

test("cards that could not be made are reported, and the page opens", async () => {
  const message = "The model does not answer at the moment.";
  const { answers } = serverWithNewcomer({
    flashcards: { generateCards: () => [{ type: "error", seq: 1, code: "model_unavailable", message }] },
  });
  const app = await openApp("/home", { signedIn: true, answers });
  await makePageFromNotes();
  await screen.findByText(message);
  await waitFor(() => expect(app.address()).toMatch(/^\/page\//u));
});

test("offline, first cards cannot be made: this is reported, and the page opens", async () => {
  const { answers } = serverWithNewcomer({ sync: { sendBatches: noNetwork } });
  const app = await openApp("/home", { signedIn: true, answers });
  await makePageFromNotes();
  await screen.findByText(/^Couldn't connect to the server\./u);
  await waitFor(() => expect(app.address()).toMatch(/^\/page\//u));
  expect(app.calls).not.toContain("flashcards.generateCards");
});

test("the page limit is shown before a file is chosen", async () => {
  const { answers } = serverWithNewcomer();
  await openApp("/home", { signedIn: true, answers });
  await screen.findByText(/On your plan, cards come from the first 10 pages\./u);
});

test("where the pointer is a finger, nothing is said about dropping", async () => {
  const { answers } = serverWithNewcomer();
  const matchMedia = window.matchMedia.bind(window);
  vi.spyOn(window, "matchMedia").mockImplementation((query) => {
    const list = matchMedia(query);
    return query === "(pointer: coarse)" ? Object.defineProperty(list, "matches", { value: true }) : list;
  });
  await openApp("/home", { signedIn: true, answers });
  await screen.findByText("Add a chapter, slides or your notes");
  expect(screen.queryByText(/^Drop a chapter/u)).toBeNull();
  vi.restoreAllMocks();
});

test("of several dropped files the first is used, and a notice says so", async () => {
  const { answers } = serverWithNewcomer();
  await openApp("/home", { signedIn: true, answers });
  await screen.findByText("Drop a chapter, slides or your notes here");
  const files = ["Cells.pdf", "Genes.pdf"].map((name) => new File(["%PDF-1.4"], name, { type: "application/pdf" }));
  fireEvent.drop(window, { dataTransfer: { types: ["Files"], files } });
  await screen.findByText("Your first page is made from Cells.pdf. You can add the other files to it later.");
});

test("students who finished onboarding aren't sent there again", async () => {
  const app = await openApp("/onboarding", { signedIn: true });
  await waitFor(() => expect(app.address()).toBe("/home"));
});

test("onboarding finished offline is complete on this device and sent to the server later", async () => {
  let isReached = false;
  const { answers, isWelcomed } = serverWithNewcomer();
  const saveSettings = answers.user?.saveSettings;
  if (!saveSettings) throw new Error("No answer");
  const app = await openApp("/home", {
    signedIn: true,
    answers: { ...answers, user: { saveSettings: (sent) => (isReached ? saveSettings(sent) : noNetwork()) } },
  });
  await press("Start with an empty page");
  await press("Create page");
  await waitFor(() => expect(app.address()).toMatch(/^\/page\//u));
  expect(isWelcomed()).toBe(false);
  isReached = true;
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(isWelcomed()).toBe(true));
});

test("the next session starts where the last one was: the assistant, else home", async () => {
  expect(resolveReturnPath(undefined)).toBe("/home");
  rememberRoute("/chat");
  rememberRoute("/settings");
  expect(resolveReturnPath(undefined)).toBe("/chat");
  expect(resolveReturnPath("/folder/1")).toBe("/folder/1");
  expect(resolveReturnPath("//evil.example")).toBe("/chat");
  rememberRoute("/home");
  expect(resolveReturnPath(undefined)).toBe("/home");
  localStorage.clear();
});
