// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { NoResponse } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { notifyRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { LiveResearch } from "#webapp/research/live-session.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";
import { aSession } from "./a-session.ts";

// Screens are loaded in parts, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const section = {
  id: "r1t1",
  heading: "Tides",
  topic: null,
  status: "written" as const,
  paragraphs: [[{ text: "The Moon causes the tides.", cites: [], isSupported: true }]],
  disagreements: [],
};

async function* nothing(): AsyncGenerator<string> {}

interface Sent {
  notes?: string;
  notes_base?: string;
  edit?: { section: string; text: string | null; base: string | null };
}

/** A server that stores what it is sent while it can be reached. */
function serve(stored: ResearchSession) {
  const server = { stored, failure: undefined as Error | undefined, sent: [] as Sent[] };
  setTransport(async ({ endpoint, body }) => {
    if (endpoint.method === "PATCH" && body.kind === "json") {
      const change: Sent = JSON.parse(body.text);
      server.sent.push(change);
      if (server.failure) throw server.failure;
      const { notes = server.stored.notes, edit } = change;
      const edits = edit
        ? edit.text === null
          ? []
          : [{ section: edit.section, text: edit.text, edited_at: 1 }]
        : server.stored.edits;
      server.stored = { ...server.stored, notes, edits };
    }
    return {
      text: async () => JSON.stringify({ conversation: server.stored }),
      blob: async () => new Blob(),
      pieces: nothing,
    };
  });
  return server;
}

test("notes and a version of a section that could not be saved stay on screen, and are sent when the network returns", async () => {
  const server = serve(aSession({ _id: "unsaved", sections: [section], notes: "Plan." }));
  const live = new LiveResearch();
  await live.open("unsaved");
  server.failure = new NoResponse("network");
  await live.saveNotes("Plan. Ask Tom.");
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  const shown = { notes: "Plan. Ask Tom.", edits: [{ section: "r1t1", text: "My words." }] };
  // Something else of the session changed, and the student leaves its screen and returns.
  await live.refresh();
  expect(live.snapshot.session).toMatchObject(shown);
  live.leave();
  const later = new LiveResearch();
  await later.open("unsaved");
  expect(later.snapshot.session).toMatchObject(shown);
  expect(server.stored).toMatchObject({ notes: "Plan.", edits: [] });
  server.failure = undefined;
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => server.stored).toMatchObject(shown);
  expect(server.sent.at(-1)).toMatchObject({ notes: "Plan. Ask Tom.", notes_base: "Plan." });
});

test("a version of a section that the server refuses is not shown as saved", async () => {
  const server = serve(aSession({ _id: "refused", sections: [section] }));
  const live = new LiveResearch();
  await live.open("refused");
  server.failure = new Failure("bad_input", "no_research_section");
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(false);
  expect(live.snapshot.session?.edits).toEqual([]);
});

test("notes that another tab saves while the student types are not overwritten", async () => {
  const sent: unknown[] = [];
  let notes = "Plan.";
  const answer = () => ({ conversation: aSession({ _id: "tides", user_id: ada._id, notes }) });
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: answer,
        changeConversation: (change) => {
          sent.push(change);
          notes = "From the other tab.\n\nAsk Tom.";
          return answer();
        },
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const field = await screen.findByRole("textbox", { name: "Your notes" });
  const user = userEvent.setup();
  await user.type(field, " Ask Tom.");
  notes = "From the other tab.";
  await act(async () => {
    notifyRemoteChanges([{ kind: "research", ids: ["tides"] }]);
    await Promise.resolve();
  });
  expect(field).toHaveProperty("value", "Plan. Ask Tom.");
  await user.tab();
  await expect.poll(() => sent.at(-1)).toMatchObject({ notes: "Plan. Ask Tom.", notes_base: "Plan." });
  await expect.poll(() => Reflect.get(field, "value")).toBe("From the other tab.\n\nAsk Tom.");
});
