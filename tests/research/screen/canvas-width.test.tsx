// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { ResearchSession } from "#shared/research/schema.ts";
import { Preferences } from "#shared/user/schema.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";
import { aSession } from "./a-session.ts";

// Screens are loaded in parts, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const session = aSession({
  _id: "tides",
  conversation_title: "What causes the tides?",
  user_id: ada._id,
  canvas_version: 1,
});

const readWidth = () => document.querySelector<HTMLElement>(".research")?.style.getPropertyValue("--canvas-width");

test("the canvas has the saved width, and one button makes it wide or normal", async () => {
  let preferences = Preferences.parse({ research: { canvas_width: 640 } });
  const savePreferences = (sent: unknown) => {
    preferences = Preferences.parse(sent);
    return preferences;
  };
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: session }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
      user: { getPreferences: () => preferences, savePreferences },
    },
  });
  const button = await screen.findByRole("button", { name: "Wide result" });
  await waitFor(() => expect([readWidth(), button.getAttribute("aria-pressed")]).toEqual(["640px", "false"]));
  const user = userEvent.setup();
  button.focus();
  for (const [widthPx, isPressed] of [
    [1200, "true"],
    [800, "false"],
  ] as const) {
    await user.keyboard("{Enter}");
    await waitFor(() => expect(preferences.research.canvas_width).toBe(widthPx));
    expect([readWidth(), button.getAttribute("aria-pressed")]).toEqual([`${widthPx}px`, isPressed]);
  }
});

test("the question is the title of the session, and its section is headed as the answer", async () => {
  const section: ResearchSession["sections"][number] = {
    id: "s1",
    heading: session.conversation_title,
    topic: null,
    status: "written",
    paragraphs: [[{ text: "The Moon causes the tides.", cites: [], isSupported: true }]],
    disagreements: [],
  };
  const figures = { ...section, id: "s2", heading: "Figures", topic: "figures" as const, paragraphs: [] };
  const sections = [section, { ...figures, status: "not_found" as const }];
  const run = { ...session.run, pagesRead: 4 };
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: { ...session, run, sections } }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  await screen.findByRole("heading", { name: "Answer" });
  expect(screen.getAllByRole("heading", { name: session.conversation_title })).toHaveLength(1);
  // The figures may be in the answer, and the list of sources shows how many were read.
  // In this narrow window the plan is one line, which unfolds.
  const summary = screen.getByRole("heading", { name: "Plan" }).closest("summary");
  expect(summary?.textContent).toContain("Split into 2 questions");
  const plan = summary?.closest("details");
  expect(plan?.textContent).toContain("Nothing more found");
  expect(plan?.textContent).not.toMatch(/Not found|sources read/u);
});
