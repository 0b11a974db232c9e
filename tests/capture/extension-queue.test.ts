import { expect, onTestFinished, test, vi } from "vitest";
import type { ReadVideo } from "#extension/capture/readers/video-shapes.ts";
import type { Capture, CaptureState } from "#extension/capture/store.ts";
import { startApi } from "#tests/kit/api.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aChange } from "#tests/store/changes.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";

let made = 0;

/** A student with a connected extension, and the modules and helpers to test it. */
async function aStudent() {
  const world = anExtensionWorld();
  const [api, store, { startProcessing }, { listen, notify }, gestures, { openQueue }, { readSetting }] =
    await Promise.all([
      startApi(),
      import("#extension/capture/store.ts"),
      import("#extension/capture/delivery/process-captures.ts"),
      import("#extension/app/channel.ts"),
      import("#extension/capture/save-capture.ts"),
      import("#extension/app/queue.ts"),
      import("#extension/app/settings-store.ts"),
    ]);
  const ada = await api.newUser();
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  const card = async (place: string, more: Partial<Capture> = {}) => {
    made += 1;
    const capture: Capture = {
      id: `01CAPTURE0000000000${String(made).padStart(7, "0")}`,
      kind: "card",
      state: "ready",
      accountId: ada.userId,
      address: `https://lectures.example.org/${place}`,
      title: "Ribosomes",
      author: null,
      capturedAt: 1_700_000_000_000,
      locator: { quote: "The empty tRNA leaves from the E site." },
      card: { question: `Question ${made}?`, answer: "The E site." },
      problem: null,
      notice: null,
      resources: [],
      pageId: null,
      componentId: null,
      ...more,
    };
    await store.saveCapture(capture, { text: "The empty tRNA leaves from the E site." });
    return capture.id;
  };
  const stateOf = async (id: string): Promise<CaptureState | undefined> =>
    (await store.listCaptures()).find((capture) => capture.id === id)?.state;
  const expectState = (id: string, state: CaptureState) =>
    expect.poll(() => stateOf(id), { timeout: 15_000 }).toBe(state);
  const cards = async () => {
    const { content } = await ada.client.pages.getContent({});
    const decks = content.components.filter(({ type }) => type === "flash_cards");
    const whole = await Promise.all(decks.map(({ _id }) => ada.client.pages.getComponent({ id: _id })));
    return whole.flatMap(({ component }) => (component.type === "flash_cards" ? component.content.cards : []));
  };
  const work = () => {
    startProcessing();
    notify("work");
  };
  const modules = { store, gestures, listen, notify, openQueue, readSetting };
  return { ...world, ...modules, api, ada, card, stateOf, expectState, cards, work };
}

const broken = (status: number, code: string, message: string) =>
  new Response(JSON.stringify({ status, code, message, error: code }), {
    status,
    headers: { "content-type": "application/json" },
  });

test("a page on which the server fails doesn't block other captures, and is sent once the server works", async () => {
  const { answerWith, card, expectState, cards, work, stateOf } = await aStudent();
  const both = [await card("breaks"), await card("fine")];
  const states = async () => (await Promise.all(both.map(stateOf))).map(String).toSorted((a, b) => a.localeCompare(b));
  let isBroken = true;
  // Either capture can be sent first; the server fails for the page of the first one.
  let first: string | undefined;
  answerWith(({ path }) => {
    if (!/^\/v1\/pages\/[0-9a-f]{32}$/.test(path)) return undefined;
    first ??= path;
    return isBroken && path === first ? broken(500, "broken", "") : undefined;
  });
  work();
  await expect.poll(async () => (await cards()).length, { timeout: 15_000 }).toBe(1);
  await expect.poll(states, { timeout: 15_000 }).toEqual(["ready", "saved"]);
  isBroken = false;
  work();
  for (const id of both) await expectState(id, "saved");
  expect(await cards()).toHaveLength(2);
});

const YEAR_MS = 365 * 86_400_000;

test.each([
  ["a year ahead", YEAR_MS],
  ["a year behind", -YEAR_MS],
])("where this device's clock is %s, captures arrive exactly once", async (_, offset) => {
  const { card, expectState, cards, work, ada } = await aStudent();
  const { now } = Date;
  const wrong = vi.spyOn(Date, "now").mockImplementation(() => now() + offset);
  onTestFinished(() => wrong.mockRestore());
  const taken = await card("clock", { capturedAt: Date.now() });
  const link = await card("later", { kind: "link", card: null, locator: null, capturedAt: Date.now() });
  work();
  await expectState(taken, "saved");
  await expectState(link, "saved");
  expect(await cards()).toHaveLength(1);
  expect((await ada.client.capture.listCaptures({})).captures).toHaveLength(2);
});

test("a refused capture shows the reason and blocks no other; it is sent once rewritten", async () => {
  const { answerWith, card, expectState, cards, work, store } = await aStudent();
  const [bad, good, over] = [await card("refused"), await card("taken"), await card("over")];
  answerWith(({ path, body }) => {
    if (path !== "/v1/captures") return undefined;
    if (body.includes(over)) return broken(402, "limit_reached", "You've used all 1 uploads today.");
    return body.includes(bad) ? broken(400, "bad_input", "This is too long.") : undefined;
  });
  work();
  await expectState(good, "saved");
  await expectState(bad, "refused");
  await expectState(over, "refused");
  const find = async (wanted: string) => (await store.listCaptures()).find(({ id }) => id === wanted);
  const refused = await find(bad);
  expect(refused).toMatchObject({ problem: "This is too long.", isLimit: false });
  // A limit of the plan also shows the way to the plans.
  expect(await find(over)).toMatchObject({ problem: "You've used all 1 uploads today.", isLimit: true });
  answerWith(undefined);
  await store.changeCapture(bad, { state: "ready", card: { question: "Shorter?", answer: "Yes." }, problem: null });
  work();
  await expectState(bad, "saved");
  expect((await cards()).map(({ question }) => question)).toContain("Shorter?");
  expect(await cards()).toHaveLength(3);
});

test("a card about a clip is saved and cites the page if reading the video was interrupted", async () => {
  const { card, expectState, cards, work } = await aStudent();
  const clip = await card("clip", { locator: { startMs: 1000, endMs: 31_000 } });
  const other = await card("clip");
  work();
  for (const id of [clip, other]) await expectState(id, "saved");
  const found = (await cards()).find(({ id }) => id === clip);
  expect(found).toMatchObject({ answer: "The E site.", citation: expect.stringContaining("web_citation") as string });
});

test("a page in the trash is restored when it is captured again, and keeps its earlier cards", async () => {
  const { ada, card, expectState, cards, work, store } = await aStudent();
  const first = await card("trash");
  work();
  await expectState(first, "saved");
  const pageId = (await store.readCapture(first))?.pageId ?? "";
  await ada.client.sync.sendChanges({ payload: [aChange("page_update", pageId, { archived: true })] });
  const second = await card("trash");
  work();
  await expectState(second, "saved");
  expect((await ada.client.pages.getPage({ id: pageId })).page.archived).toBe(false);
  expect((await cards()).map(({ id }) => id).toSorted((a, b) => a.localeCompare(b))).toEqual([first, second]);
});

test("all links saved for later are in their folder, which a new link restores from the trash", async () => {
  const { ada, card, expectState, work } = await aStudent();
  const link = { kind: "link" as const, card: null, locator: null };
  const first = [await card("later-1", link), await card("later-2", link), await card("later-3", link)];
  work();
  for (const id of first) await expectState(id, "saved");
  const readFolders = async () => (await ada.client.library.listFolders({})).folders;
  const [folder] = await readFolders();
  expect(folder?.items).toHaveLength(3);
  const payload = [aChange("folder_update", folder?._id ?? "", { is_archived: true })];
  await ada.client.sync.sendChanges({ payload });
  const next = await card("later-4", link);
  work();
  await expectState(next, "saved");
  expect(await readFolders()).toMatchObject([{ is_archived: false, items: { length: 4 } }]);
});

test("a file that the browser can't read is refused and blocks no other file", async () => {
  const { answerWith, card, expectState, work, store } = await aStudent();
  answerWith(({ path }) => (path.endsWith(".pdf") ? new Response("%PDF-1.7 and more") : undefined));
  const unreadable = vi.spyOn(Blob.prototype, "arrayBuffer");
  unreadable.mockRejectedValueOnce(new DOMException("The file is gone", "NotReadableError"));
  onTestFinished(() => unreadable.mockRestore());
  const files = ["lost", "good"].map(async (name) => {
    const id = await card(name, { kind: "pdf", state: "raw", card: null, locator: null });
    await store.updateRaw(id, { fileName: `${name}.pdf`, fileAddress: `https://lectures.example.org/${name}.pdf` });
    return id;
  });
  const [lost = "", good = ""] = await Promise.all(files);
  work();
  await expectState(lost, "refused");
  // The other file was read, so it can be sent.
  await expect.poll(async () => (await store.readCapture(good))?.fileHash).toBeTypeOf("string");
  expect((await store.readCapture(lost))?.fileHash).toBeUndefined();
});

test.each([
  ["is still being edited", undefined],
  ["was rewritten", { question: "Rewritten?", answer: "Yes." }],
])("a card that %s is not taken as sent when an earlier attempt to send it ends", async (_, rewritten) => {
  const { answerWith, card, expectState, stateOf, cards, work, store } = await aStudent();
  const place = `edited-${made}`;
  const [edited, other] = [await card(place), await card(place)];
  const [isSending, arrival] = [createDeferred<undefined>(), createDeferred<undefined>()];
  answerWith(async ({ path }) => {
    if (!/^\/v1\/pages\/[0-9a-f]{32}$/.test(path)) return undefined;
    isSending.resolve(undefined);
    await arrival.promise;
    return undefined;
  });
  work();
  await isSending.promise;
  await store.changeCapture(edited, rewritten ? { state: "ready", card: rewritten } : { state: "draft" });
  arrival.resolve(undefined);
  await expectState(other, "saved");
  if (!rewritten) {
    expect(await stateOf(edited)).toBe("draft");
    await store.changeCapture(edited, { state: "ready", card: { question: "Rewritten?", answer: "Yes." } });
  }
  work();
  await expectState(edited, "saved");
  expect((await cards()).map(({ question }) => question)).toContain("Rewritten?");
  expect(await cards()).toHaveLength(2);
});

const aVideo = (language: string, text: string): ReadVideo => ({
  language,
  name: language,
  isGenerated: false,
  body: null,
  lines: [{ startMs: 0, endMs: 1000, text }],
  reason: null,
  offered: [],
  chapters: [],
  videoId: "dQw4w9WgXcQ",
  source: null,
  durationMs: null,
  description: "",
});

test("captions chosen in another language while the first are sent are sent too", async () => {
  const { answerWith, card, expectState, work, store, ada } = await aStudent();
  const id = await card("video", { kind: "video", state: "draft", card: null, locator: null, language: "en" });
  await store.updateRaw(id, { video: aVideo("en", "The cell divides.") });
  await store.changeCapture(id, { state: "ready" });
  const [isSending, arrival] = [createDeferred<undefined>(), createDeferred<undefined>()];
  answerWith(async ({ body }) => {
    if (!body.includes("The cell divides.")) return undefined;
    isSending.resolve(undefined);
    await arrival.promise;
    return undefined;
  });
  work();
  await isSending.promise;
  const change = { state: "ready", language: "de" } as const;
  await store.replaceCapture(id, { video: aVideo("de", "Die Zelle teilt sich.") }, (old) => ({ ...old, ...change }));
  arrival.resolve(undefined);
  work();
  await expectState(id, "saved");
  const componentId = (await store.readCapture(id))?.componentId ?? "";
  const { transcript } = await ada.client.video.getTranscript({ id: componentId, language: "de" });
  expect(transcript.segments.map(({ text }) => text)).toEqual(["Die Zelle teilt sich."]);
});

test("a response lost at any call causes no duplicates", async () => {
  const { ada, loseAnswers, card, expectState, cards, work } = await aStudent();
  const ids = [await card("one"), await card("one"), await card("two")];
  const lost = new Set<string>();
  loseAnswers(({ path }) => {
    if (lost.has(path) || !path.startsWith("/v1/")) return false;
    lost.add(path);
    return true;
  });
  work();
  for (let rounds = 0; rounds < 12; rounds += 1) work();
  for (const id of ids) {
    work();
    await expectState(id, "saved");
  }
  expect(lost.size).toBeGreaterThan(3);
  loseAnswers(() => false);
  expect(await cards()).toHaveLength(3);
  const { captures } = await ada.client.capture.listCaptures({});
  expect(captures).toHaveLength(3);
});

test("cards of one page are sent and confirmed together, however many they are", async () => {
  const { card, expectState, cards, work, listen } = await aStudent();
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await card("many"));
  let writes = 0;
  onTestFinished(listen("captures", () => (writes += 1)));
  work();
  for (const id of ids) await expectState(id, "saved");
  expect(await cards()).toHaveLength(12);
  // Not one write for each card.
  expect(writes).toBeLessThan(ids.length);
});

test("captures are queued when the token ends, and sent once the same student connects again", async () => {
  const { api, ada, card, expectState, cards, work, stateOf, readSetting } = await aStudent();
  const first = await card("before");
  work();
  await expectState(first, "saved");
  await ada.client.auth.logout({});
  const second = await card("after");
  work();
  await expect.poll(async () => (await readSetting("account"))?.hasEnded, { timeout: 15_000 }).toBe(true);
  expect(await stateOf(second)).not.toBe("saved");
  const { token } = await api.clientFor().auth.login({ email: ada.email, password: "a lamp upon the desk" });
  await connectAs(api.origin, { accountId: ada.userId, token });
  work();
  await expectState(second, "saved");
  ada.client = api.clientFor(token);
  expect(await cards()).toHaveLength(2);
});

test("captures of one student are never sent with another's token", async () => {
  const { api, ada, card, expectState, work, stateOf } = await aStudent();
  const eve = await api.newUser({ name: "Eve" });
  await connectAs(api.origin, { accountId: eve.userId, token: eve.token });
  // Captured only after the switch of accounts, because work of earlier tests could send it with the first token.
  const ownCapture = await card("own");
  const evesCapture = await card("hers", { accountId: eve.userId });
  work();
  await expectState(evesCapture, "saved");
  // Earlier work for the first student may have queued the capture, but its queue waits for that student's token.
  expect(["ready", "sending"]).toContain(await stateOf(ownCapture));
  expect((await eve.client.capture.listCaptures({})).captures.map(({ _id }) => _id)).toEqual([evesCapture]);
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  work();
  await expectState(ownCapture, "saved");
});

/** A row of any of the extension's stores. */
interface Row {
  state?: CaptureState;
  item?: unknown;
}

/** Makes the disk full: from now on only rows for which `fits` is true can be written. */
function fillDisk(fits: (row: Row) => boolean = () => false) {
  const put = Reflect.get(IDBObjectStore.prototype, "put") as (row: Row, key?: IDBValidKey) => IDBRequest<IDBValidKey>;
  const tried: Row[] = [];
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function write(
    this: IDBObjectStore,
    row: Row,
    key?: IDBValidKey,
  ) {
    if (fits(row)) return put.call(this, row, key);
    tried.push(row);
    throw new DOMException("The disk is full", "QuotaExceededError");
  });
  onTestFinished(() => full.mockRestore());
  return { tried, makeRoom: () => full.mockRestore() };
}

test("a full disk is reported once despite retries, and again after it had space in between", async () => {
  const { card, expectState, stateOf, work, notify, listen } = await aStudent();
  let notices = 0;
  onTestFinished(listen("full", () => (notices += 1)));
  for (const times of [1, 2]) {
    const { tried, makeRoom } = fillDisk(({ state }) => state !== "draft");
    const waiting = await card("full", { state: "raw", card: null });
    work();
    for (let round = 1; round < 4; round += 1) {
      await expect.poll(() => tried.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(round);
      notify("work");
    }
    expect(notices).toBe(times);
    expect(await stateOf(waiting)).toBe("raw");
    makeRoom();
    notify("work");
    await expectState(waiting, "draft");
  }
});

test("a capture that the sync queue can't store isn't refused, and is sent once there is space", async () => {
  const { store, card, expectState, work, notify } = await aStudent();
  const { tried, makeRoom } = fillDisk(({ item }) => item === undefined);
  const waiting = await card("no-room");
  work();
  await expect.poll(() => tried.length, { timeout: 15_000 }).toBeGreaterThan(0);
  const before = tried.length;
  notify("work");
  await expect.poll(() => tried.length, { timeout: 15_000 }).toBeGreaterThan(before);
  expect(await store.readCapture(waiting)).toMatchObject({ state: "ready", problem: null });
  makeRoom();
  notify("work");
  await expectState(waiting, "saved");
});

test("a selection without a possible card stays a draft, and a server that never answers doesn't delay it", async () => {
  const { answerWith, card, expectState, work } = await aStudent();
  answerWith(() => new Promise(() => undefined));
  await card("waits");
  work();
  const drafted = await card("draft", { state: "raw", card: null });
  work();
  await expectState(drafted, "draft");
});

test("on a full disk a capture gesture isn't confirmed, and all open views are notified", async () => {
  const { store, ada, listen, gestures } = await aStudent();
  const { words } = await import("#extension/words/words.ts");
  let notices = 0;
  onTestFinished(listen("full", () => (notices += 1)));
  const before = (await store.listCaptures()).length;
  const { makeRoom } = fillDisk();
  const fresh = { kind: "note" as const, address: "https://lectures.example.org/full", title: "Full", author: null };
  await expect(
    gestures
      .saveNewCapture(fresh, { html: "<p>Words</p>" })
      .catch((error: unknown) => gestures.reportFailedGesture(1, error)),
  ).resolves.toBe(words.disk_full);
  makeRoom();
  expect(notices).toBe(1);
  expect(await store.listCaptures()).toHaveLength(before);
  expect((await ada.client.capture.listCaptures({})).captures).toEqual([]);
});

test("opens the sync queue once a full disk has space again", async () => {
  const { ada, openQueue } = await aStudent();
  const { makeRoom } = fillDisk();
  await expect(openQueue(ada.userId)).rejects.toThrow("The disk is full");
  makeRoom();
  expect((await openQueue(ada.userId)).accountId).toBe(ada.userId);
});

test("the panel lists all captures that haven't arrived, and only the latest that have", async () => {
  const { store, card } = await aStudent();
  const waiting = await card("list", { state: "refused" });
  for (let n = 0; n < 5; n += 1) await card("list", { state: "saved" });
  const draft = await card("list", { state: "draft" });
  const all = (await store.listCaptures()).toReversed();
  const saved = all.filter(({ state }) => state === "saved").slice(0, 2);
  const shown = await store.listLatest(2);
  expect(shown).toEqual(all.filter((capture) => capture.state !== "saved" || saved.includes(capture)));
  expect(shown.map(({ id }) => id)).toContain(waiting);
  expect(shown[0]?.id).toBe(draft);
  expect(await store.listLatest(10_000)).toEqual(all);
});

test("reading a page again replaces its content, unless the capture was discarded meanwhile", async () => {
  const { store, card } = await aStudent();
  const id = await card("anew", { state: "saved" });
  await store.replaceCapture(id, { text: "Anew." }, (stored) => ({ ...stored, state: "ready", notice: null }));
  expect((await store.readCapture(id))?.state).toBe("ready");
  expect(await store.readRaw(id)).toEqual({ text: "Anew." });
  await store.discardCapture(id);
  await store.replaceCapture(id, { text: "Too late." }, (stored) => stored);
  expect(await store.readRaw(id)).toBeUndefined();
});

test("a question about a captured page does not capture it again; cards and refused captures don't count as captured", async () => {
  const { store, card } = await aStudent();
  const address = "https://lectures.example.org/again";
  await card("again", { state: "saved", pageId: "page-1" });
  await card("again", { kind: "note", state: "refused" });
  expect(await store.findEarlierCapture(address)).toBeUndefined();
  const first = await card("again", { kind: "note", state: "saved", pageId: "page-1" });
  expect((await store.findEarlierCapture(address))?.id).toBe(first);
  const latest = await card("again", { kind: "note", state: "sending" });
  expect((await store.findEarlierCapture(address))?.id).toBe(latest);
});

test("a message about one tab isn't shown beside another, and goes when the tab shows something else", async () => {
  const { gestures, readSetting } = await aStudent();
  const noticeFor = async (tabId: number) => gestures.noticeForTab(await readSetting("notice"), tabId);
  await gestures.showNotice("No video was found on this page.", 7);
  expect([await noticeFor(7), await noticeFor(8)]).toEqual(["No video was found on this page.", ""]);
  await gestures.dropNoticeAbout(8);
  expect(await noticeFor(7)).toBe("No video was found on this page.");
  await gestures.dropNoticeAbout(7);
  expect(await noticeFor(7)).toBe("");
  await gestures.showNotice("Opened in a new tab.");
  expect([await noticeFor(7), await noticeFor(8)]).toEqual(["Opened in a new tab.", "Opened in a new tab."]);
});
