// @vitest-environment happy-dom
import { fireEvent, act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { SpeechEvent, TranscriptSegment } from "#shared/video/schema.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { connectPlayer, loopAtom, nowMsAtom, setDuration, setPosition } from "#webapp/video/playback.ts";
import { createNoteContent, loadNotes, notesAtom, parseNote } from "#webapp/video/notes.ts";
import { formatQuote } from "#webapp/video/quote-cards.ts";
import { refreshTranscript } from "#webapp/video/state.ts";
import { findCachedVideo, wipeVideos } from "#webapp/offline/video-cache.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, type Answers, asAdmin, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";

const ID = "01JD00000000000000000VIDEO";
const segments: TranscriptSegment[] = [
  { startMs: 0, endMs: 3000, text: "Photosynthesis is the process by which plants" },
  { startMs: 3000, endMs: 6000, text: "convert light energy into sugar." },
  { startMs: 6000, endMs: 9000, text: "Chlorophyll absorbs light." },
];

const about = { pageId: "page-1", createdAt: 1, modifiedAt: 1, createdBy: "ada", lastOpenedAt: null, version: 1 };
const component = {
  ...about,
  _id: ID,
  type: "video" as const,
  content: {
    file: { id: "youtube-abcdefghij1", name: "How plants eat light" },
    url: "https://www.youtube.com/watch?v=abcdefghij1",
    isArchived: false,
    archivedAt: null,
    videoType: "youtube" as const,
    thumbnail: null,
    title: "How plants eat light",
  },
};
const info = { language: "en", source: "youtube" as const, name: "English", isGenerated: false, madeAt: 1 };
const summary = { ...info, segmentCount: segments.length };

const video = {
  component,
  transcripts: [summary],
  offered: [],
  chapters: [
    { startMs: 0, title: "Hello" },
    { startMs: 6000, title: "Green" },
  ],
  speech: { hasFile: false, isConfigured: false, problem: null },
};

const answers: Answers = {
  video: {
    getVideo: () => video,
    getTranscript: () => ({ transcript: { ...summary, componentId: ID, segments } }),
  },
};

const idle = () => undefined;

beforeEach(async () => {
  await wipeVideos(ada._id);
  // The test environment has no layout, so every line counts as visible.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
});

const open = (query = "", more: Answers = {}) =>
  openApp(`/video/${ID}${query}`, { signedIn: true, answers: { ...answers, ...more } });

test("the transcript is shown beside the video, and clicking a time seeks to it", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  await userEvent.click(screen.getByRole("button", { name: "Go to 0:03" }));
  expect(store.get(nowMsAtom)).toBe(3000);
  expect(document.querySelector('[data-current="true"]')?.textContent).toContain("convert");
});

const inLanguage = (language: string, text: string) => ({
  transcript: { ...summary, language, componentId: ID, segments: [{ startMs: 0, endMs: 3000, text }, ...segments] },
});

test("of two languages chosen quickly the last one is shown, and a cited quote moves the video only once", async () => {
  const german = createDeferred<ReturnType<typeof inLanguage>>();
  await open("?quote=light%20energy%20into%20sugar", {
    video: {
      getVideo: () => ({ ...video, transcripts: ["en", "de", "fr"].map((language) => ({ ...summary, language })) }),
      getTranscript: ({ language = "en" }) =>
        language === "de" ? german.promise : inLanguage(String(language), `In ${String(language)}.`),
    },
  });
  await screen.findByText("In en.");
  expect(store.get(nowMsAtom)).toBe(3000);
  act(() => setPosition(0));
  const choice = screen.getByRole("combobox", { name: "Choose transcript" });
  await userEvent.selectOptions(choice, "youtube:de");
  await userEvent.selectOptions(choice, "youtube:fr");
  await screen.findByText("In fr.");
  await act(async () => german.resolve(inLanguage("de", "In de.")));
  expect(screen.queryByText("In de.")).toBeNull();
  screen.getByText("In fr.");
  expect(store.get(nowMsAtom)).toBe(0);
});

test("nothing is loaded from YouTube before the student presses play", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  expect(document.querySelector("iframe")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Play from YouTube" }));
  const frame = document.querySelector("iframe");
  expect(frame?.getAttribute("src")).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/abcdefghij1\?/);
  expect(frame?.getAttribute("sandbox")).not.toContain("allow-top-navigation");
});

test("a citation seeks to its second and highlights its quote", async () => {
  await open("?t=3&quote=light%20energy%20into%20sugar");
  expect((await screen.findByText("light energy into sugar")).className).toBe("lit");
  expect(store.get(nowMsAtom)).toBe(3000);
});

test("the same citation, opened again, seeks to its second again", async () => {
  const citation = "?t=3&quote=light%20energy%20into%20sugar";
  const app = await open(citation);
  await screen.findByText("light energy into sugar");
  for (let time = 0; time < 2; time += 1) {
    await waitFor(() => expect(store.get(nowMsAtom)).toBe(3000));
    act(() => setPosition(0));
    goTo(`/video/${ID}${citation}`);
  }
  await waitFor(() => expect(store.get(nowMsAtom)).toBe(3000));
  expect(app.address()).toContain("?t=3");
});

test("a quote that isn't in the transcript shows a notice and highlights nothing", async () => {
  await open("?t=6&quote=mitochondria%20release%20energy");
  expect((await screen.findByRole("alert")).textContent).toContain("The quoted text was not found");
  expect(document.querySelector(".lit")).toBeNull();
  expect(store.get(nowMsAtom)).toBe(6000);
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("everything works by keyboard: lines, search, notes, cards, and the list of shortcuts", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(store.get(nowMsAtom)).toBe(6000);
  await userEvent.keyboard("{ArrowLeft}");
  expect(store.get(nowMsAtom)).toBe(1000);
  await userEvent.keyboard("{ArrowUp}");
  expect(store.get(nowMsAtom)).toBe(0);
  await userEvent.keyboard("/");
  await userEvent.keyboard("LIGHT");
  expect((await screen.findByText("1 of 2")).getAttribute("role")).toBe("status");
  await userEvent.keyboard("{Enter}");
  await screen.findByText("2 of 2");
  await userEvent.keyboard("{Escape}");
  act(() => (document.activeElement as HTMLElement).blur());
  await userEvent.keyboard("n");
  await waitFor(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
  act(() => (document.activeElement as HTMLElement).blur());
  await userEvent.keyboard("?");
  await screen.findByText("Play or pause");
});

test("the shortcuts work after a press on a tab, whose arrows change the tab", async () => {
  await open();
  await userEvent.click(await screen.findByRole("radio", { name: "Chapters" }));
  await userEvent.keyboard("{ArrowRight}");
  expect(store.get(nowMsAtom)).toBe(0);
  act(() => screen.getByRole("radio", { name: "Transcript" }).focus());
  await userEvent.keyboard("n");
  await waitFor(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
});

test("the bar moves the position, and unmuting returns to the volume before", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  const sought: number[] = [];
  const sound = { volume: 0, isMuted: true };
  const player = {
    play: idle,
    pause: idle,
    setRate: idle,
    setVolume: (volume: number) => void (sound.volume = volume),
    setMuted: (isMuted: boolean) => void (sound.isMuted = isMuted),
  };
  const disconnect = connectPlayer({ ...player, seek: (ms) => void sought.push(ms) });
  act(() => setDuration(60_000));
  const position = await screen.findByRole("slider", { name: "Position" });
  fireEvent.change(position, { target: { value: "30000" } });
  expect(sought).toEqual([30_000]);
  expect(position.getAttribute("aria-valuetext")).toBe("0:30 / 1:00");
  expect(sound).toEqual({ volume: 1, isMuted: false });
  const volume = screen.getByRole<HTMLInputElement>("slider", { name: "Volume" });
  fireEvent.change(volume, { target: { value: "0.2" } });
  await userEvent.click(screen.getByRole("button", { name: "Mute" }));
  expect(sound).toEqual({ volume: 0.2, isMuted: true });
  expect(volume.value).toBe("0");
  await userEvent.click(screen.getByRole("button", { name: "Unmute" }));
  expect(sound).toEqual({ volume: 0.2, isMuted: false });
  // After a drag both sliders keep the focus, and the shortcuts still work.
  act(() => position.focus());
  await userEvent.keyboard("{ArrowRight}j");
  expect(sought).toEqual([30_000, 35_000, 25_000]);
  act(() => volume.focus());
  await userEvent.keyboard("{ArrowRight}l");
  expect(sought).toEqual([30_000, 35_000, 25_000, 35_000]);
  // This player has no captions, so it has no button for them.
  expect(screen.queryByRole("button", { name: "Captions" })).toBeNull();
  act(disconnect);
});

test("the bar of a player with its own controls has only the controls that the player lacks", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  const player = { play: idle, pause: idle, setRate: idle, seek: idle };
  const disconnect = connectPlayer({ ...player, hasOwnControls: true });
  act(() => setDuration(60_000));
  const bar = await screen.findByRole("region", { name: "Playback" });
  const names = within(bar)
    .getAllByRole("button")
    .map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Back 10 seconds", "Forward 10 seconds", "Set loop start", "Keyboard shortcuts"]);
  expect(within(bar).queryByRole("slider")).toBeNull();
  act(disconnect);
});

test("a looped passage restarts at its end", async () => {
  await open();
  await screen.findByText("convert light energy into sugar.");
  const sought: number[] = [];
  const player = { play: idle, pause: idle, setRate: idle, setVolume: idle };
  const disconnect = connectPlayer({ ...player, seek: (ms) => void sought.push(ms) });
  act(() => setPosition(2000));
  await userEvent.keyboard("[[");
  act(() => setPosition(5000));
  await userEvent.keyboard("]");
  expect(store.get(loopAtom)).toEqual({ fromMs: 2000, toMs: 5000 });
  act(() => setPosition(5200));
  expect(sought).toEqual([2000, 2000]);
  await userEvent.keyboard("\\");
  act(() => setPosition(6000));
  expect(sought).toHaveLength(2);
  disconnect();
});

test("if YouTube returns nothing, the screen shows why and what to do", async () => {
  let asked = 0;
  const message = "YouTube sent an empty response instead of the captions. This often happens to servers.";
  await open("", {
    video: {
      ...answers.video,
      getTranscript: () =>
        asked > 0
          ? { transcript: { ...summary, componentId: ID, segments } }
          : refuse("no_transcript", message, { reason: "empty_answer" }),
      refreshTranscript: () => {
        asked += 1;
        return { transcript: summary };
      },
    },
  });
  await screen.findByText(message);
  screen.getByRole("button", { name: "Upload captions" });
  await userEvent.click(screen.getByRole("button", { name: "Check YouTube again" }));
  await screen.findByText("Chlorophyll absorbs light.");
});

test("another account's video and an unreachable one show different messages", async () => {
  await open("", {
    video: { getVideo: () => refuse("not_found", "This video does not exist or is not shared with you.") },
  });
  await screen.findByText("Video not found");
});

test("offline, the screen says that nothing is lost, and retries", async () => {
  await open("", { video: { getVideo: noNetwork } });
  await screen.findByText("You need a connection to watch this video");
  screen.getByRole("button", { name: "Try again" });
});

test("a transcript read once is available offline until sign-out", async () => {
  const online = await openApp(`/video/${ID}`, { signedIn: true, answers });
  await screen.findByText("Chlorophyll absorbs light.");
  await waitFor(async () => expect(await findCachedVideo(ada._id, ID)).toBeDefined());
  online.unmount();
  const cut: Answers = { video: { getVideo: noNetwork, getTranscript: noNetwork } };
  const offline = await openApp(`/video/${ID}`, { signedIn: true, answers: cut });
  expect(await screen.findByText("Chlorophyll absorbs light.")).toBeTruthy();
  await offline.router.navigate({ to: "/logout" });
  await screen.findByText("You're signed out");
  expect(await findCachedVideo(ada._id, ID)).toBeUndefined();
});

test("a note is restored from its text on the page, and another video's note is ignored", () => {
  const text = {
    ...about,
    _id: "note-1",
    type: "text" as const,
    content: createNoteContent(ID, 83_400, "  ask about this "),
  };
  expect(parseNote(text, ID)).toMatchObject({ atMs: 83_000, text: "ask about this" });
  expect(parseNote(text, "01JD00000000000000000OTHER")).toBeUndefined();
});

test("copied text includes the video, the second and a link back", () => {
  const quote = { videoId: ID, title: "Plants", startMs: 83_400, endMs: 90_000, text: "light & sugar" };
  expect(formatQuote(quote, "https://study.example.org")).toBe(
    `“light & sugar” (Plants, 1:23) https://study.example.org/video/${ID}?t=83&quote=light+%26+sugar`,
  );
});

test("a YouTube address pasted into the link dialog becomes a video and opens its screen", async () => {
  const made: unknown[] = [];
  const { address } = await openApp("/content/all", {
    signedIn: true,
    answers: {
      ...answers,
      video: { ...answers.video, createVideoComponent: (sent) => (made.push(sent), { component }) },
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Upload" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "From a link" }));
  await userEvent.type(
    await screen.findByRole("textbox", { name: /Link to an image/ }),
    "https://youtu.be/abcdefghij1",
  );
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(address()).toBe(`/video/${ID}`));
  expect(made).toMatchObject([{ url: "https://youtu.be/abcdefghij1" }]);
});

const uploaded = { ...component.content, file: { id: "01JD.mp4", name: "talk.mp4" }, videoType: "file" as const };
const silent = { component: { ...component, content: uploaded }, transcripts: [], offered: [], chapters: [] };
const silentWith = (problem: string | null) => () => ({
  ...silent,
  speech: { hasFile: true, isConfigured: problem === null, problem },
});
const none = () => refuse("no_transcript", "No transcript yet.", { reason: "none_yet" });
const unreached = () => refuse("model_unavailable", "The speech server could not be reached. Please try again later.");

const unheard = { video: { getVideo: silentWith("not set"), getTranscript: none } };

test("without a speech server an uploaded video offers captions and mentions no setting to students", async () => {
  await open("", unheard);
  await screen.findByText("Automatic transcripts aren't available here. Upload captions instead.");
  expect(screen.queryByRole("button", { name: "Transcribe" })).toBeNull();
});

test("administrators see which setting configures a speech server", async () => {
  await open("", { ...unheard, auth: asAdmin });
  await screen.findByText(/set STT_BASE_URL on the server/);
});

test("an error of the speech server is shown in place, with the button for a retry", async () => {
  await open("", { video: { getVideo: silentWith(null), getTranscript: none, startTranscription: unreached } });
  await userEvent.click(await screen.findByRole("button", { name: "Transcribe" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "The speech server could not be reached. Please try again later.",
  );
  screen.getByRole("button", { name: "Transcribe" });
});

test("a transcription that begins after its video was left does not end the progress of the next video", async () => {
  const begun = createDeferred<{ jobId: string }>();
  const progress = createDeferred<SpeechEvent[]>();
  const other = "01JD00000000000000000OTHER";
  // The first video has no transcription when it is opened, the second one has.
  const follows = [[], progress.promise];
  let shownId = ID;
  const { router } = await open("", {
    video: {
      getVideo: () => ({ ...silentWith(null)(), component: { ...silent.component, _id: shownId } }),
      getTranscript: none,
      startTranscription: () => begun.promise,
      followTranscription: () => follows.shift() ?? [],
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Transcribe" }));
  shownId = other;
  await act(() => router.navigate({ href: `/video/${other}` }));
  await screen.findByRole("button", { name: "Transcribe" });
  await act(async () => begun.resolve({ jobId: "job-of-the-first" }));
  await act(async () => progress.resolve([{ type: "progress", seq: 1, stage: "sending", done: 2, total: 5 }]));
  await screen.findByText("Transcribing: 2 of 5 parts");
});

test("a video is pinned to the sidebar from its own screen, and its pin removed", async () => {
  const sent: unknown[] = [];
  const favorite = { _id: "pin-1", userId: ada._id, itemId: ID, itemType: "component" as const, createdAt: 1 };
  const library: Answers["library"] = {
    getFavorites: () => ({ favorites: [] }),
    addFavorite: (input) => {
      sent.push(input["itemId"]);
      return { favorite: { ...favorite, sortIndex: 1, data: { componentType: "video" } } };
    },
    removeFavorite: (input) => {
      sent.push(input["itemId"]);
      return { success: true };
    },
  };
  await openApp(`/video/${ID}`, { signedIn: true, answers: { ...answers, library } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Pin to sidebar" }));
  await user.click(await screen.findByRole("button", { name: "Remove pin" }));
  await screen.findByRole("button", { name: "Pin to sidebar" });
  expect(sent).toEqual([ID, ID]);
});

const pageWithNote = (videoId: string, text: string, pageId = "page-1") => ({
  page: { ...listedPage(pageId, "Plants"), components: ["note-1"] },
  components: [
    { ...about, pageId, _id: "note-1", type: "text" as const, content: createNoteContent(videoId, 1000, text) },
  ],
});

test("notes of the video before, which arrive late, do not replace the notes of the next video", async () => {
  const OTHER = "01JD00000000000000000OTHER";
  const late = createDeferred<ReturnType<typeof pageWithNote>>();
  let calls = 0;
  const getPage = () => (++calls === 1 ? late.promise : pageWithNote(OTHER, "About the other"));
  await openApp("/home", { signedIn: true, answers: { pages: { getPage } } });
  await waitFor(() => expect(store.get(accountIdAtom)).toBe(ada._id));
  const opening = loadNotes({ pageId: "page-1", videoId: ID });
  await loadNotes({ pageId: "page-1", videoId: OTHER });
  late.resolve(pageWithNote(ID, "About the first"));
  await opening;
  expect(store.get(notesAtom).map(({ text }) => text)).toEqual(["About the other"]);
});

test("a note being written stays while the transcript is looked at", async () => {
  await open();
  await userEvent.click(await screen.findByRole("radio", { name: "Notes" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Note at 0:00" }), "Ask about sugar");
  await userEvent.click(screen.getByRole("radio", { name: "Transcript" }));
  await userEvent.click(screen.getByRole("radio", { name: "Notes" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note at 0:00" });
  expect(field.value).toBe("Ask about sugar");
});

test("notes that could not be loaded are not shown as none, and load on request", async () => {
  let isDown = true;
  // A page that this browser has not stored.
  const elsewhere = { ...video, component: { ...component, pageId: "page-2" } };
  await open("", {
    video: { ...answers.video, getVideo: () => elsewhere },
    pages: { getPage: () => (isDown ? refuse("broken", "No") : pageWithNote(ID, "Ask about sugar", "page-2")) },
  });
  await userEvent.click(await screen.findByRole("radio", { name: "Notes" }));
  await screen.findByText(/^Your notes could not be loaded/u);
  isDown = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Ask about sugar");
});

test("a video stays on the screen if it cannot be loaded again after a change", async () => {
  let isDown = false;
  await open("", {
    video: {
      ...answers.video,
      getVideo: () => (isDown ? refuse("broken", "No") : video),
      refreshTranscript: () => ({ transcript: { ...summary, componentId: ID, segments } }),
    },
  });
  await userEvent.click(await screen.findByRole("radio", { name: "Notes" }));
  isDown = true;
  await act(refreshTranscript);
  screen.getByRole("textbox", { name: /^Note at/u });
});
