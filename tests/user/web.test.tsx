// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { utcDay } from "#shared/user/days.ts";
import { Preferences } from "#shared/user/schema.ts";
import { closeOverlay } from "#webapp/app/overlays.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { ada, noNetwork, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const theme = () => document.documentElement.dataset["theme"];

test("a theme is applied at once and saved to the account", async () => {
  let saved: unknown;
  const answers: Answers = {
    user: {
      savePreferences: (sent) => {
        saved = sent;
        return Preferences.parse(sent);
      },
    },
  };
  await openApp("/settings", { signedIn: true, answers });
  await userEvent.setup().click(await screen.findByRole("radio", { name: "Dark" }));
  expect(theme()).toBe("dark");
  expect(document.documentElement.classList.contains("dark")).toBe(true);
  await waitFor(() => expect(saved).toEqual({ appearance: { theme: "dark" } }));
});

test("a change that the server refuses is reverted with a notice", async () => {
  await openApp("/settings", {
    signedIn: true,
    answers: { user: { savePreferences: () => refuse("broken", "No") } },
  });
  await userEvent.setup().click(await screen.findByRole("radio", { name: "Dark" }));
  await screen.findByText("Failed to update settings");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "System" }).checked).toBe(true);
});

test("the name is saved and shown", async () => {
  const answers: Answers = {
    user: { saveSettings: (sent) => ({ user: { ...ada, name: String(sent["name"]) } }) },
  };
  await openApp("/settings", { signedIn: true, answers });
  const user = userEvent.setup();
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("textbox", { name: "Name", description: "Enter your name." });
  await user.type(name, "Grace");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByRole("button", { name: "Grace" });
});

test("the plan and today's usage are shown with their limits", async () => {
  const usage = { userId: ada._id, period: "2026-11-20", totalCardsStudied: 2, fileUploads: 1, createdAt: 0 };
  const none = { assistantMessages: 0, researchMessages: 0, podcastCreations: 0, autocompleteWords: 0 };
  await openApp("/settings", { signedIn: true, answers: { user: { getUsage: () => ({ ...none, ...usage }) } } });
  await screen.findByText("Free");
  expect((await screen.findByRole("meter", { name: "Cards studied" })).getAttribute("aria-valuetext")).toBe("2 of 3");
  expect(screen.getByRole("meter", { name: "File uploads" }).getAttribute("aria-valuetext")).toBe("1 of 1");
  expect(screen.getByText("10 MB")).toBeDefined();
});

test("on a free plan without uploads left today, the upload button shows it and its menu leads to the plans", async () => {
  const usage = { userId: ada._id, period: utcDay(Date.now()), fileUploads: 1, createdAt: 0 };
  const none = { assistantMessages: 0, researchMessages: 0, totalCardsStudied: 0, podcastCreations: 0 };
  const getUsage = () => ({ ...none, autocompleteWords: 0, ...usage });
  await openApp("/content/all", { signedIn: true, answers: { user: { getUsage } } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Upload (Limit Reached)" }));
  await user.click(await screen.findByRole("menuitem", { name: "See plans" }));
  await screen.findByRole("dialog", { name: "Uploads: limit reached" });
  act(closeOverlay);
});

test("the sidebar is minimised by default, and its width is a preference", async () => {
  expect(Preferences.parse({}).sidebar.minimized).toBe(true);
  await openApp("/home", { signedIn: true });
  const toggle = await screen.findByRole("button", { name: "Collapse sidebar" });
  await userEvent.setup().click(toggle);
  await screen.findByRole("button", { name: "Expand sidebar" });
  expect(screen.getByRole("link", { name: "All content" })).toBeDefined();
});

test("the sidebar is pinned beside a page, and opens over it in a narrower window", async () => {
  const { happyDOM } = globalThis as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  const page = listedPage("genes", "Genes");
  const saved: unknown[] = [];
  const answers: Answers = {
    user: {
      savePreferences: (sent) => {
        saved.push(sent);
        return Preferences.parse(sent);
      },
    },
    pages: {
      getContent: () => ({ content: { pages: [page], components: [], podcasts: [] } }),
      getPage: () => ({ page, components: [] }),
    },
  };
  // The test environment reports when a media query starts to match, but not when it stops.
  happyDOM.setViewport({ width: 1000 });
  await openApp("/page/genes", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Show sidebar" }));
  await screen.findByRole("dialog", { name: "Workspace" });
  await user.click(screen.getByRole("button", { name: "Close menu" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Workspace" })).toBeNull());
  expect(saved).toEqual([]);

  act(() => happyDOM.setViewport({ width: 1440 }));
  expect(screen.queryByRole("navigation", { name: "Workspace" })).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Show sidebar" }));
  await screen.findByRole("navigation", { name: "Workspace" });
  expect(saved).toEqual([{ sidebar: { pinned: true } }]);
  const collapse = screen.getByRole("button", { name: "Collapse sidebar" });
  await waitFor(() => expect(document.activeElement).toBe(collapse));
  await user.click(collapse);
  await waitFor(() => expect(screen.queryByRole("navigation", { name: "Workspace" })).toBeNull());
  expect(saved.at(-1)).toMatchObject({ sidebar: { pinned: false } });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Show sidebar" }));
});

test("a preference changed offline is stored and sent when the network is back", async () => {
  const saved: unknown[] = [];
  let isReached = false;
  const savePreferences = (sent: Readonly<Record<string, unknown>>) => {
    if (!isReached) return noNetwork();
    saved.push(sent);
    return Preferences.parse(sent);
  };
  const getPreferences = () => Preferences.parse(saved.at(-1) ?? {});
  await openApp("/settings", { signedIn: true, answers: { user: { getPreferences, savePreferences } } });
  await userEvent.setup().click(await screen.findByRole("radio", { name: "Dark" }));
  expect(theme()).toBe("dark");
  expect(screen.queryByText("Failed to update settings")).toBeNull();
  isReached = true;
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(saved).toMatchObject([{ appearance: { theme: "dark" } }]));
  expect(theme()).toBe("dark");
});
