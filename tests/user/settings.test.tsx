// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { SessionInfo } from "#shared/auth/contract.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { mergePreferences } from "#shared/user/merge-preferences.ts";
import { Preferences } from "#shared/user/schema.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, type Answers, asAdmin, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { goTo } from "#webapp/app/navigation.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";

const success = { success: true } as const;
const session = { id: "s1", device: "Mozilla/5.0 (X11; Linux) Firefox/140", signedInAt: 0, lastSeenAt: 0 };

/** Opens the settings as Ada. */
async function settings(answers: Answers = {}) {
  const app = await openApp("/settings", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Sign-in" });
  return { app, user: userEvent.setup() };
}

test("sessions are listed by browser and system, and others can be signed out", async () => {
  let sessions = [
    { ...session, isCurrent: true },
    { ...session, id: "s2", device: "Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537", isCurrent: false },
  ];
  const removed: unknown[] = [];
  const { user } = await settings({
    auth: {
      listSessions: () => ({ sessions }),
      removeSession: () => {
        removed.push("s2");
        sessions = sessions.slice(0, 1);
        return success;
      },
    },
  });
  await screen.findByText(/Firefox, Linux/);
  await user.click(screen.getByRole("button", { name: "Sign out Chrome, Windows" }));
  await waitFor(() => expect(screen.queryByText(/Chrome, Windows/)).toBeNull());
  expect(removed).toEqual(["s2"]);
});

const entry = { registration: "open", google: false, apple: false, mail: true } as const;
const getUser = () => ({ user: { ...ada, emailVerified: false }, organization: null, tempToken: "temp" });

test("the mail that verifies an address is sent again", async () => {
  const sendVerification = vi.fn(() => success);
  const { user } = await settings({ auth: { getUser, getEntry: () => entry, sendVerification } });
  await screen.findByText("Not verified");
  await user.click(screen.getByRole("button", { name: "Send verification email" }));
  await waitFor(() => expect(sendVerification).toHaveBeenCalledOnce());
});

test("after saving a name the focus moves to the message that it was saved", async () => {
  const { user } = await settings({ user: { saveSettings: ({ name }) => ({ user: { ...ada, name: String(name) } }) } });
  await user.type(screen.getByRole("textbox", { name: "Name" }), " Lovelace");
  await user.click(screen.getByRole("button", { name: "Save" }));
  const saved = await screen.findByText("Saved");
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  expect(document.activeElement).toBe(saved);
});

test("on a server without mail, an address is not shown as unverified", async () => {
  const getEntry = vi.fn(() => ({ ...entry, mail: false }));
  await settings({ auth: { getUser, getEntry } });
  await waitFor(() => expect(getEntry).toHaveBeenCalled());
  // The answer is rendered together with everything else that the screen loads.
  await screen.findByRole("button", { name: "Change password" });
  expect(screen.queryByText("Not verified")).toBeNull();
  expect(screen.queryByRole("button", { name: "Send verification email" })).toBeNull();
});

test("in a narrow window a section is chosen from one field", async () => {
  const { user } = await settings();
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  const field = screen.getByLabelText("Go to section");
  field.focus();
  await user.selectOptions(field, "Sign-in");
  const shown = () => scrolled.mock.contexts.map((heading) => (heading as Element).textContent);
  await waitFor(() => expect(shown()).toEqual(["Sign-in"]));
  // Arrow keys choose one section after the other, so the field must keep the focus.
  expect(document.activeElement).toBe(field);
});

test("the password can be changed with the current one, and a wrong one shows an error in the form", async () => {
  let isRight = false;
  const { user } = await settings({
    auth: { changePassword: () => (isRight ? success : refuse("wrong_password", "No")) },
  });
  await user.click(screen.getByRole("button", { name: "Change password" }));
  const dialog = screen.getByRole("dialog", { name: "Change password" });
  await user.type(within(dialog).getByLabelText("Current password"), "not it");
  await user.type(within(dialog).getByLabelText("New password"), "a lamp upon the desk");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await within(dialog).findByText("Wrong password.");
  isRight = true;
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await screen.findByText("Password saved. You were signed out on all other devices.");
});

test("an account without a password can set one without entering one", async () => {
  const { user } = await settings({
    auth: { getUser: () => ({ user: { ...ada, hasPassword: false }, organization: null, tempToken: "temp" }) },
  });
  await user.click(await screen.findByRole("button", { name: "Set password" }));
  expect(screen.queryByLabelText("Current password")).toBeNull();
});

test("a refused picture shows the message of section 8", async () => {
  const { user } = await settings({
    user: { uploadProfilePicture: () => refuse("invalid_file", "This picture can't be read. Choose another one.") },
  });
  await user.upload(
    screen.getByLabelText("Choose picture", { selector: "input" }),
    new File(["x"], "me.png", { type: "image/png" }),
  );
  await screen.findByText("Failed to upload profile picture");
});

test("an accepted picture is shown", async () => {
  const { user } = await settings({
    user: { uploadProfilePicture: () => ({ location: "/v1/user/profile_picture/a/b" }) },
  });
  await user.upload(
    screen.getByLabelText("Choose picture", { selector: "input" }),
    new File(["x"], "me.png", { type: "image/png" }),
  );
  expect((await screen.findByRole("img", { name: "Picture" })).getAttribute("src")).toBe(
    "/v1/user/profile_picture/a/b",
  );
});

test("a name that is saved while a picture is uploaded stays", async () => {
  const uploaded = createDeferred<{ location: string }>();
  const { user } = await settings({
    user: {
      uploadProfilePicture: () => uploaded.promise,
      saveSettings: () => ({ user: { ...ada, name: "Grace" } }),
    },
  });
  await user.upload(
    screen.getByLabelText("Choose picture", { selector: "input" }),
    new File(["x"], "me.png", { type: "image/png" }),
  );
  await user.clear(screen.getByRole("textbox", { name: "Name" }));
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Grace{Enter}");
  await waitFor(() => expect(store.get(userAtom)?.name).toBe("Grace"));
  uploaded.resolve({ location: "/v1/user/profile_picture/a/b" });
  await screen.findByRole("img", { name: "Picture" });
  expect(store.get(userAtom)?.name).toBe("Grace");
});

test("deleting the account shows until when it can be restored, and leaves no data in the browser", async () => {
  const deleteAt = Date.UTC(2026, 11, 21);
  const { app, user } = await settings({
    // The account's tokens ended with its deletion.
    auth: { logout: () => refuse("signed_out", "Please sign in.") },
    user: { deleteAccount: () => ({ deleteAt }) },
  });
  await user.click(screen.getByRole("button", { name: "Delete account" }));
  const dialog = screen.getByRole("dialog", { name: "Delete your account?" });
  await user.type(within(dialog).getByLabelText("Current password"), "a lamp upon the desk");
  await user.click(within(dialog).getByRole("button", { name: "Delete my account" }));
  await screen.findByText(/Your account will be deleted on/);
  await waitFor(() => expect(app.address()).toBe("/logout"));
  await screen.findByRole("heading", { name: "You're signed out" });
  expect(screen.queryByText("Your session has expired. Please log in again.")).toBeNull();
});

test("an import shows how much was imported and what wasn't", async () => {
  const report = { documents: 12, files: 3, already: 0, refused: 1, isWhole: false };
  const { user } = await settings({ user: { importAccount: () => report } });
  await user.upload(screen.getByLabelText("Import an export", { selector: "input" }), new File(["x"], "lamplight.zip"));
  await screen.findByText("Imported 12 items and 3 files. Not imported: 1.");
});

test("study, tutor and sidebar preferences are saved on leaving the field, except numbers out of range", async () => {
  const saved: Preferences[] = [];
  let stored = Preferences.parse({});
  const { user } = await settings({
    user: {
      savePreferences: (sent) => {
        stored = mergePreferences(stored, sent) ?? stored;
        saved.push(stored);
        return stored;
      },
    },
  });
  await user.selectOptions(screen.getByLabelText("Cards to study by default"), "hard");
  await user.click(await screen.findByRole("checkbox", { name: "Short answer" }));
  await user.click(screen.getByRole("switch", { name: "Suggest text as I write" }));
  await user.click(screen.getByRole("switch", { name: "Show tips on empty pages" }));
  const words = screen.getByLabelText("Maximum answer length, in words");
  await user.clear(words);
  await user.type(words, "5");
  screen.getByText("Enter a number from 20 to 2000.");
  await user.tab();
  await user.clear(words);
  await user.type(words, "200");
  await user.tab();
  await waitFor(() => expect(saved.at(-1)?.conversation.max_words).toBe(200));
  expect(saved.at(-1)).toMatchObject({
    flashcards: { bucket: "hard", quiz_question_types: { short_response: true } },
    features: { text_completion_enabled: false },
    hidePageOnboarding: true,
  });
  expect(saved.some(({ conversation }) => conversation.max_words === 5)).toBe(false);
});

test("the referral link can be copied, with the number of people who used it", async () => {
  const { user } = await settings();
  await screen.findByText(/joined with your link: 2/);
  const copied = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(screen.getByRole("button", { name: "Copy your link" }));
  await screen.findByText("Link copied");
  expect(copied).toHaveBeenCalledWith("https://study.example/?ref=FRIEND");
});

test("a referral link that could not be copied is not reported as copied", async () => {
  const { user } = await settings();
  await screen.findByText(/joined with your link: 2/);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
  await user.click(screen.getByRole("button", { name: "Copy your link" }));
  await screen.findByText(/^Something went wrong/u);
  expect(screen.queryByText("Link copied")).toBeNull();
});

test("instructions that were typed are saved when the settings are left by the address", async () => {
  const saved: unknown[] = [];
  const { user } = await settings({
    user: {
      savePreferences: (sent) => {
        saved.push(sent);
        return Preferences.parse(sent);
      },
    },
  });
  await user.type(screen.getByRole("textbox", { name: "What the tutor should know about you" }), "Be brief.");
  act(() => goTo("/home"));
  await waitFor(() => expect(saved).toMatchObject([{ assistant: { custom_instructions: "Be brief." } }]));
});

test.each([
  [false, []],
  [true, ["/admin", "/admin/user"]],
])("only administrators have links to administration (%s)", async (isAdmin, addresses) => {
  await settings({
    auth: { getUser: () => ({ user: { ...ada, isAdmin }, organization: null, tempToken: "temp" }) },
  });
  const links = screen.queryAllByRole("link", { name: /^(?:Overview|Invitations)$/u });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(addresses);
});

test("file storage is shown, and the space of deleted files can be freed", async () => {
  const MB = 1024 * 1024;
  let storage = { usedBytes: 300 * MB, limitBytes: 1024 * MB, deletedBytes: 100 * MB };
  let isReachable = false;
  const { user } = await settings({
    user: {
      getStorage: () => storage,
      eraseDeletedFiles: () => {
        if (!isReachable) return refuse("broken", "No");
        storage = { ...storage, usedBytes: 200 * MB, deletedBytes: 0 };
        return storage;
      },
    },
  });
  await screen.findByRole("meter", { name: "Storage" });
  screen.getByText("300 MB of 1 GB");
  screen.getByText(/100 MB of it are files in the trash/);
  const button = screen.getByRole("button", { name: "Permanently delete files in the trash" });
  await user.click(button);
  await screen.findByText("The files in the trash could not be deleted. Please try again.");
  isReachable = true;
  await user.click(button);
  await screen.findByText("200 MB of 1 GB");
  expect(screen.queryByRole("button", { name: "Permanently delete files in the trash" })).toBeNull();
});

const shownSections = () =>
  [...document.querySelectorAll<HTMLElement>(".settings section:not([hidden]) > h2")].map(
    (heading) => heading.textContent,
  );

test("settings can be searched, and the list of sections leads to each", async () => {
  await openApp("/settings", { signedIn: true });
  const user = userEvent.setup();
  await screen.findByRole("heading", { name: "Your data" });
  const all = shownSections();
  expect(all.length).toBeGreaterThan(10);
  const search = screen.getByRole("searchbox", { name: "Search settings" });
  await user.type(search, "retention");
  expect(shownSections()).toEqual(["Studying"]);
  await user.type(search, " nothing of this kind");
  expect(shownSections()).toEqual([]);
  await screen.findByText("No setting matches. Try another word.");
  await user.click(screen.getByRole("button", { name: "Your data" }));
  expect(shownSections()).toEqual(all);
  expect(document.activeElement?.textContent).toBe("Your data");
});

test("choosing a section puts it into the address", async () => {
  const { app, user } = await settings();
  await user.click(screen.getByRole("button", { name: "Reminders" }));
  await waitFor(() => expect(app.address()).toBe("/settings#reminders"));
});

test.each([
  ["advanced", "Advanced"],
  ["offline", "Saved offline"],
])("the address of a collapsed part, #%s, opens the settings there and expands it", async (hash, title) => {
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  scrolled.mockClear();
  await openApp(`/settings#${hash}`, { signedIn: true });
  const shown = () => scrolled.mock.contexts.map((heading) => (heading as Element).textContent);
  await waitFor(() => expect(shown()).toEqual([title]));
  expect(document.querySelector<HTMLDetailsElement>("#settings-advanced")?.open).toBe(true);
});

test("a link to a section scrolls to it while the settings are open, and so does the same link again", async () => {
  await settings();
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  scrolled.mockClear();
  const shown = () => scrolled.mock.contexts.map((heading) => (heading as Element).textContent);
  goTo("/settings#reminders");
  await waitFor(() => expect(shown()).toEqual(["Reminders"]));
  goTo("/settings#data");
  await waitFor(() => expect(shown()).toEqual(["Reminders", "Your data"]));
  goTo("/settings#data");
  await waitFor(() => expect(shown()).toEqual(["Reminders", "Your data", "Your data"]));
});

test("a search also finds content that a section loads during the search", async () => {
  const sessions = createDeferred<{ sessions: SessionInfo[] }>();
  await openApp("/settings", { signedIn: true, answers: { auth: { listSessions: () => sessions.promise } } });
  await screen.findByRole("heading", { name: "Your data" });
  await userEvent.setup().type(screen.getByRole("searchbox", { name: "Search settings" }), "firefox");
  expect(shownSections()).toEqual([]);
  sessions.resolve({ sessions: [{ ...session, isCurrent: true }] });
  await waitFor(() => expect(shownSections()).toEqual(["Sign-in"]));
});

const isOpen = () => document.querySelector("details")?.open;

test("rare settings are collapsed under Advanced, which a search or the list of sections opens", async () => {
  await openApp("/settings", { signedIn: true });
  const user = userEvent.setup();
  await screen.findByRole("heading", { name: "Your data" });
  expect(isOpen()).toBe(false);
  const search = screen.getByRole("searchbox", { name: "Search settings" });
  await user.type(search, "focus mode");
  expect(shownSections()).toEqual(["Labs"]);
  expect(isOpen()).toBe(true);
  await user.clear(search);
  expect(isOpen()).toBe(false);
  await user.type(search, "retention");
  expect(document.querySelector("details")?.hidden).toBe(true);
  await user.click(screen.getByRole("button", { name: "Advanced" }));
  expect(isOpen()).toBe(true);
  expect(document.activeElement?.textContent).toBe("Advanced");
});

test("without Ollama an administrator sees what to install, and can then look again and compare the models", async () => {
  const [best, faster] = [
    { name: "qwen2.5:14b", sizeBytes: 9e9 },
    { name: "gemma3:4b", sizeBytes: 3.3e9 },
  ];
  const common = { address: "http://127.0.0.1:11434", memoryBytes: 24 * 2 ** 30, best, faster };
  const model = { id: "ollama/gemma3:4b", name: "gemma3:4b", description: "" };
  let server: "absent" | "found" = "absent";
  const slow = createDeferred<undefined>();
  const testModel = vi.fn<NonNullable<NonNullable<Answers["tutor"]>["testModel"]>>(
    ({ modelId }: Readonly<Record<string, unknown>>) =>
      modelId === "lamplight-builtin"
        ? { cards: [{ question: "What is firn?", answer: "granular snow" }], rejected: 0, durationMs: 120 }
        : refuse("model_unavailable", "The model gave no answer."),
  );
  const { user } = await settings({
    auth: asAdmin,
    tutor: {
      lookForModels: () => ({ ...common, server, models: server === "found" ? [model] : [] }),
      testModel,
    },
  });
  const place = document.querySelector<HTMLElement>("#settings-models");
  if (!place) throw new Error("The settings have no section for models");
  const section = within(place);
  await section.findByText("No Ollama server answers at http://127.0.0.1:11434.");
  expect(section.getByRole("link", { name: "ollama.com/download" })).toBeDefined();
  expect(section.getByText(/They fit the 24 GB/)).toBeDefined();
  expect(section.getByText("ollama pull qwen2.5:14b")).toBeDefined();
  expect(section.getByText("3.3 GB download")).toBeDefined();
  server = "found";
  await user.click(section.getByRole("button", { name: "Look again" }));
  await user.click(await section.findByRole("button", { name: "Test the models" }));
  await section.findByText("1 card in 0.1 sec");
  expect(section.getByText("What is firn?")).toBeDefined();
  await section.findByText("gemma3:4b gave no usable answer.");
  expect(testModel).toHaveBeenCalledTimes(2);
  // A stopped test shows no result for the model.
  testModel.mockImplementation(async () => (await slow.promise) ?? refuse("model_unavailable", "Stopped."));
  await user.click(section.getByRole("button", { name: "Test the models" }));
  const stop = await section.findByRole("button", { name: "Stop" });
  expect(section.getByRole("button", { name: "Look again" })).toHaveProperty("disabled", true);
  await user.click(stop);
  slow.resolve(undefined);
  await waitFor(() => expect(section.queryByRole("button", { name: "Stop" })).toBeNull());
  expect(section.queryByText(/gave no usable answer/u)).toBeNull();
});

test("leaving the settings aborts the running model test and starts no further one", async () => {
  const model = { name: "gemma3:4b", sizeBytes: 3.3e9 };
  const found = { address: "http://127.0.0.1:11434", memoryBytes: 24 * 2 ** 30, best: model, faster: model };
  const signals: (AbortSignal | undefined)[] = [];
  const { app, user } = await settings({
    auth: asAdmin,
    tutor: {
      lookForModels: () => ({
        ...found,
        server: "found",
        models: [{ id: "ollama/gemma3:4b", name: "gemma3:4b", description: "" }],
      }),
      testModel: (_, signal) => {
        signals.push(signal);
        return new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new NoResponseError("aborted")));
        });
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Test the models" }));
  await waitFor(() => expect(signals).toHaveLength(1));
  expect(signals[0]?.aborted).toBe(false);
  await app.router.navigate({ to: "/home" });
  await waitFor(() => expect(signals[0]?.aborted).toBe(true));
  await screen.findByRole("heading", { name: /Hello|Welcome|Ada/u });
  expect(signals).toHaveLength(1);
});
