// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { alertsAtom, dismissAlert } from "#webapp/app/alerts.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { notifyRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { OpenSession } from "#webapp/research/open-session.ts";
import { ada, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aSession, tidesSection } from "./a-session.ts";

// Screens are loaded in parts, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

async function* nothing(): AsyncGenerator<string> {}

interface Sent {
  notes?: string;
  notes_base?: string;
  edit?: { section: string; text: string | null; base: string | null };
}

/** A server that stores what it is sent while it can be reached. */
function serve(stored: ResearchSession) {
  const server = {
    stored,
    failure: undefined as Error | undefined,
    /** The only field that the failure is about; undefined for every change. */
    refuses: undefined as "notes" | "edit" | undefined,
    pause: undefined as Promise<void> | undefined,
    sent: [] as Sent[],
  };
  setTransport(async ({ endpoint, body }) => {
    if (endpoint.method === "PATCH" && body.kind === "json") {
      const change: Sent = JSON.parse(body.text);
      server.sent.push(change);
      await server.pause;
      if (server.failure && (!server.refuses || server.refuses in change)) throw server.failure;
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
  const server = serve(aSession({ _id: "unsaved", sections: [tidesSection], notes: "Plan." }));
  const live = new OpenSession();
  await live.open("unsaved");
  server.failure = new NoResponseError("network");
  await live.saveNotes("Plan. Ask Tom.");
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  const shown = { notes: "Plan. Ask Tom.", edits: [{ section: "r1t1", text: "My words." }] };
  // Something else of the session changed, and the student leaves its screen and returns.
  await live.refresh();
  expect(live.snapshot.session).toMatchObject(shown);
  live.leave();
  const later = new OpenSession();
  await later.open("unsaved");
  expect(later.snapshot.session).toMatchObject(shown);
  expect(server.stored).toMatchObject({ notes: "Plan.", edits: [] });
  server.failure = undefined;
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => server.stored).toMatchObject(shown);
  expect(server.sent).toContainEqual(expect.objectContaining({ notes: "Plan. Ask Tom.", notes_base: "Plan." }));
});

test("a version of a section that the server refuses is not shown as saved", async () => {
  const server = serve(aSession({ _id: "refused", sections: [tidesSection] }));
  const live = new OpenSession();
  await live.open("refused");
  server.failure = new Failure("bad_input", "no_research_section");
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(false);
  expect(live.snapshot.session?.edits).toEqual([]);
});

const listNotices = () => store.get(alertsAtom).map(({ message }) => message);

function dismissNotices(): void {
  for (const { id } of store.get(alertsAtom)) dismissAlert(id);
}

test.for([
  ["too many requests", new Failure("too_many_requests", "research_running")],
  ["a timeout of the server", new Failure("timed_out", "archive_took_too_long")],
] as const)("a version of a section is sent again after %s", async ([, failure], { task }) => {
  const server = serve(aSession({ _id: task.id, sections: [tidesSection] }));
  const live = new OpenSession();
  await live.open(task.id);
  server.failure = failure;
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  server.failure = undefined;
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => server.stored).toMatchObject({ edits: [{ text: "My words." }] });
});

test("a version of a section that waited and is then refused stays on screen with a notice, and notes are still sent", async () => {
  const server = serve(aSession({ _id: "late", sections: [tidesSection], notes: "Plan." }));
  const live = new OpenSession();
  await live.open("late");
  server.failure = new NoResponseError("network");
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  await live.saveNotes("Plan. Ask Tom.");
  dismissNotices();
  Object.assign(server, { failure: new Failure("bad_input", "no_research_section"), refuses: "edit" });
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => server.stored.notes).toBe("Plan. Ask Tom.");
  expect(listNotices()).toHaveLength(1);
  expect(live.snapshot.session?.edits).toMatchObject([{ text: "My words." }]);
  const later = new OpenSession();
  await later.open("late");
  expect(later.snapshot.session?.edits).toMatchObject([{ text: "My words." }]);
});

test("the editor learns that its text is refused, even if the text is sent together with notes", async () => {
  const server = serve(aSession({ _id: "together", sections: [tidesSection] }));
  const live = new OpenSession();
  await live.open("together");
  const pause = createDeferred<undefined>();
  Object.assign(server, { pause: pause.promise, failure: new Failure("bad_input", "no_research_section") });
  server.refuses = "edit";
  const notes = live.saveNotes("Plan.");
  await expect.poll(() => server.sent).toHaveLength(1);
  const edit = live.saveEdit("r1t1", { text: "My words.", base: null });
  pause.resolve(undefined);
  await notes;
  expect(await edit).toBe(false);
  expect(live.snapshot.session).toMatchObject({ notes: "Plan.", edits: [] });
});

test("the student reads why the server refuses a text", async () => {
  const server = serve(aSession({ _id: "explained", sections: [tidesSection] }));
  const live = new OpenSession();
  await live.open("explained");
  const tooLong = new Failure("bad_input", "research_text_too_long");
  server.failure = tooLong;
  await live.saveEdit("r1t1", { text: "My words.", base: null });
  expect(listNotices().at(-1)).toBe(tooLong.message);
});

/** Notifies this tab that a text of the session was saved with this request. */
async function tellOfText(id: string, requestId: string): Promise<void> {
  await act(async () => {
    notifyRemoteChanges([{ kind: "research", ids: [id], isTextOnly: true, requestId }]);
    await Promise.resolve();
  });
}

test("a tab reads a session again after another tab saved a text, but not after it saved one itself", async () => {
  let conversation = aSession({ _id: "own", user_id: ada._id });
  const sent: string[] = [];
  const { calls } = await openApp("/research/own", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation }),
        changeConversation: ({ request_id: requestId }) => {
          sent.push(String(requestId));
          return { conversation };
        },
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const field = await screen.findByRole("textbox", { name: "Your notes" });
  const user = userEvent.setup();
  await user.type(field, "Ask Tom.");
  await user.tab();
  await expect.poll(() => sent).toHaveLength(1);
  const countReads = () => calls.filter((call) => call === "research.getConversation").length;
  const readsBefore = countReads();
  await tellOfText("own", sent[0] ?? "");
  conversation = { ...conversation, conversation_title: "Read again" };
  await tellOfText("own", "of-another-tab");
  await screen.findByRole("heading", { name: "Read again" });
  expect(countReads()).toBe(readsBefore + 1);
});

test("the editor takes a version that is as long as two combined ones", async () => {
  const text = "a".repeat(38_000);
  const edits = [{ section: "r1t1", text, edited_at: 1 }];
  const conversation = aSession({ _id: "long", user_id: ada._id, sections: [tidesSection], edits });
  await openApp("/research/long", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit “Tides”" }));
  const field = screen.getByRole("textbox", { name: /Tides/ });
  expect(field).toHaveProperty("value", text);
  expect(Number(field.getAttribute("maxlength"))).toBeGreaterThan(text.length);
});

test("a saved version of a section stays on screen if the server refuses the notes", async () => {
  const server = serve(aSession({ _id: "notes-refused", sections: [tidesSection] }));
  const live = new OpenSession();
  await live.open("notes-refused");
  server.failure = new NoResponseError("network");
  await live.saveNotes("Plan.");
  Object.assign(server, { failure: new Failure("bad_input", "research_text_too_long"), refuses: "notes" });
  expect(await live.saveEdit("r1t1", { text: "My words.", base: null })).toBe(true);
  expect(live.snapshot.session).toMatchObject({ notes: "Plan.", edits: [{ text: "My words." }] });
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

/** Writes notes that cannot be sent; `isRevoked` returns whether the server has ended the session since. */
async function writeUnsentNotes(id: string, isRevoked: () => boolean) {
  const conversation = aSession({ _id: id, user_id: ada._id });
  const app = await openApp(`/research/${id}`, {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation }),
        changeConversation: () => (isRevoked() ? refuse("signed_out", "No") : noNetwork()),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Your notes" }), "Ask Tom.");
  await user.tab();
  await expect.poll(listNotices).toHaveLength(1);
  return app;
}

test("unsaved notes count as unsaved changes after the session has expired", async () => {
  let isRevoked = false;
  await writeUnsentNotes("expired", () => isRevoked);
  isRevoked = true;
  window.dispatchEvent(new Event("online"));
  await screen.findByText(/^1 unsaved change is stored on this device/);
});

test("signing out asks first if notes are unsaved, and offers a copy of them", async () => {
  const app = await writeUnsentNotes("sign-out", () => false);
  await act(() => app.router.navigate({ to: "/logout" }));
  await screen.findByText("1 text of your research");
  expect(app.calls).not.toContain("auth.logout");
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => `blob:${files.push(file as Blob)}`);
  onTestFinished(() => void vi.restoreAllMocks());
  await userEvent.setup().click(screen.getByRole("button", { name: "Download a copy" }));
  expect(JSON.parse((await files[0]?.text()) ?? "")).toMatchObject({
    accountId: ada._id,
    research: [{ sessionId: "sign-out", section: null, text: "Ask Tom." }],
  });
});
