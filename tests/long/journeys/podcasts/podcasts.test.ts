import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PodcastTranscript } from "#shared/podcasts/schema.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import type { TestUser } from "#tests/kit/api.ts";
import type { Student } from "#tests/kit/student.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aDocument, MAKING_LIMIT_MS, TEST_LIMIT_MS } from "#tests/podcasts/made-podcast.ts";
import { aTextbook } from "#tests/podcasts/textbook.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aChange, aPage, aText } from "#tests/store/changes.ts";
import { useControls } from "./controls.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

const RIBOSOME = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains 55 proteins.",
];

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServerProcess()]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Runs in the browser before its scripts: the player's sound is not in the document. */
function rememberPlayed(): void {
  const RealAudio = window.Audio;
  window.Audio = new Proxy(RealAudio, {
    construct(made, given) {
      const created = Reflect.construct(made, given) as HTMLAudioElement;
      created.addEventListener("play", () => {
        window.played = created;
      });
      return created;
    },
  });
}

/** Runs in the browser: presses a line, and resolves to the player's position in seconds. */
const seekToLine = (index: number) =>
  new Promise<number>((resolve) => {
    const { played } = window;
    played?.addEventListener("seeked", () => resolve(played.currentTime), { once: true });
    document.querySelector<HTMLElement>(`#podcast-line-${index} .line-text`)?.click();
  });

/** Runs in the browser: the seconds from each of these times until the file is audible, searched from shortly before it. */
async function findOnsets(startsMs: readonly number[]): Promise<number[]> {
  const LEAD_SECONDS = 0.15;
  const bytes = await (await fetch(window.played?.src ?? "")).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(bytes);
  const samples = sound.getChannelData(0);
  return startsMs.map((startMs) => {
    const from = Math.round((startMs / 1000 - LEAD_SECONDS) * sound.sampleRate);
    const at = samples.subarray(from).findIndex((sample) => Math.abs(sample) > 0.02);
    return at / sound.sampleRate - LEAD_SECONDS;
  });
}

/**
 * Runs in the browser: the loudness of the file in LUFS by ITU-R BS.1770-4, and its silences of more than two seconds.
 * The filters are those that the standard gives for 48 kHz.
 */
async function measureSound() {
  const RATE = 48_000;
  const bytes = await (await fetch(window.played?.src ?? "")).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  const context = new OfflineAudioContext(1, sound.length, RATE);
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  const shelf = [
    [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
    [1, -1.690_659_293_182_41, 0.732_480_774_215_85],
  ] as const;
  const highPass = [
    [1, -2, 1],
    [1, -1.990_047_454_833_98, 0.990_072_250_366_21],
  ] as const;
  const filters = [shelf, highPass].map(([feedforward, feedback]) =>
    context.createIIRFilter([...feedforward], [...feedback]),
  );
  [...filters, context.destination].reduce<AudioNode>((before, node) => before.connect(node), source);
  source.start();
  const weighted = (await context.startRendering()).getChannelData(0);
  const powers: number[] = [];
  const [block, step] = [0.4 * RATE, 0.1 * RATE];
  for (let from = 0; from + block <= weighted.length; from += step)
    powers.push(weighted.subarray(from, from + block).reduce((sum, sample) => sum + sample * sample, 0) / block);
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- nothing outside of this function reaches the browser
  const loudnessOf = (blockPowers: readonly number[]) =>
    -0.691 + 10 * Math.log10(blockPowers.reduce((sum, power) => sum + power, 0) / blockPowers.length);
  const audible = powers.filter((power) => loudnessOf([power]) > -70);
  const gate = loudnessOf(audible) - 10;
  const silences: number[] = [];
  let [quietFrom, at] = [0, 0];
  for (const sample of sound.getChannelData(0)) {
    if (Math.abs(sample) > 0.003) {
      if (at - quietFrom > 2 * RATE) silences.push(quietFrom / RATE);
      quietFrom = at;
    }
    at += 1;
  }
  return { lufs: loudnessOf(audible.filter((power) => loudnessOf([power]) > gate)), silences };
}

/** Checks that the file has the loudness of a podcast, and long silences only where the listener may answer. */
async function expectGoodSound({ page }: Student, { lines }: PodcastTranscript): Promise<void> {
  const { lufs, silences } = await page.evaluate(measureSound);
  expect(Math.abs(lufs + 19)).toBeLessThanOrEqual(1);
  const breaks = lines.flatMap(({ pauseMs, endMs = 0 }) => (pauseMs > 0 ? [endMs / 1000] : []));
  expect(silences.length).toBeGreaterThan(0);
  expect(silences.every((from) => breaks.some((end) => Math.abs(end - from) < 1))).toBe(true);
}

const CLOSE_SECONDS = 0.3;

/** Jumps to lines all over the episode, and compares the player's position with the sound in the file there. */
async function expectExactSeeks({ page }: Student, { lines }: PodcastTranscript): Promise<void> {
  const guest = lines.flatMap(({ speaker }, index) => (speaker === "guest" ? [index] : []));
  const indexes = [8, guest.length >> 1, guest.length - 1, 3].map((at) => guest[at] ?? -1);
  const startsMs = indexes.map((index) => lines[index]?.startMs ?? -1);
  for (const [at, index] of indexes.entries()) {
    const seconds = await page.evaluate(seekToLine, index);
    expect(Math.abs(seconds - (startsMs[at] ?? -1) / 1000)).toBeLessThan(CLOSE_SECONDS);
  }
  const onsets = await page.evaluate(findOnsets, startsMs);
  expect(onsets.every((seconds) => Math.abs(seconds) < CLOSE_SECONDS)).toBe(true);
}

interface Listening {
  student: Student;
  user: TestUser;
  id: string;
  transcript: PodcastTranscript;
}

/** Saves the open episode, and plays it in a page that was loaded without a connection. */
async function listenOffline({ student, user, id, transcript }: Listening): Promise<void> {
  const { page } = student;
  await student.press("button", "Keep offline");
  await student.waitForText("Saved offline");
  await page.setOfflineMode(true);
  await page.reload({ waitUntil: "load" });
  await page.waitForSelector(".player-play");
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>(".podcast-cover-large img")?.naturalWidth ?? 0) > 0,
  );
  expect(await student.checkScreen("podcast-offline")).toEqual([]);
  await page.locator(".player-play").click();
  await page.waitForFunction(() => window.played?.src.startsWith("blob:") && window.played.readyState >= 2);
  const seconds = await page.evaluate(seekToLine, 12);
  expect(Math.abs(seconds - (transcript.lines[12]?.startMs ?? -1) / 1000)).toBeLessThan(CLOSE_SECONDS);
  await page.waitForFunction((from) => (window.played?.currentTime ?? 0) > from, {}, seconds);
  await page.locator(".player-play").click();
  await page.waitForSelector('.player-play[aria-label="Play"]');

  // The position reached offline is stored in this browser, and sent to the account with the next connection.
  await page.reload({ waitUntil: "load" });
  await page.waitForSelector(".player-play");
  const [minutes = 0, rest = 0] = (await page.$eval(".player-time", (time) => time.textContent)).split(":").map(Number);
  expect(minutes * 60 + rest).toBeGreaterThanOrEqual(Math.floor(seconds));
  await page.setOfflineMode(false);
  const position = async () => (await user.client.podcasts.getPodcast({ id })).podcast.position_ms / 1000;
  await expect.poll(position).toBeGreaterThanOrEqual(seconds);
}

/** Checks that the sound is fetched again after its address expired, and that the system shows the episode. */
async function listenAfterExpiry({ page }: Student): Promise<void> {
  await page.reload({ waitUntil: "load" });
  await page.locator('[aria-label="Forward 15 seconds"]').click();
  await page.waitForFunction(() => (window.played?.currentTime ?? 0) > 15);
  await page.evaluate(() => {
    const { played } = window;
    if (!played) return;
    played.src = "/v1/podcasts/audio/expired";
    played.play().catch(() => undefined);
  });
  await page.waitForFunction(() => !window.played?.src.endsWith("expired") && window.played?.paused === false);
  await page.waitForFunction(() => (window.played?.currentTime ?? 0) > 15);
  const shown = await page.evaluate(() => [
    navigator.mediaSession.metadata?.title,
    navigator.mediaSession.metadata?.artwork.length,
    navigator.mediaSession.playbackState,
  ]);
  expect(shown).toEqual(["Cells", 1, "playing"]);
}

test(
  "a student makes a podcast from a PDF, jumps to a line, opens its page, and goes on listening on other screens",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    await page.evaluateOnNewDocument(rememberPlayed);
    try {
      await aDocument(user, aTextbook(4), "Cells.pdf");
      await student.open("/podcasts");
      await student.waitForText("No podcasts yet");
      expect(await student.checkScreen("podcasts-empty")).toEqual([]);
      await page.locator(".podcasts-head .button").click();
      await student.waitForText("Ewan");
      await student.press("button", "Make podcast");
      await student.waitForText("Must provide between 1 and 3 content sources");
      await page.locator(".podcast-source").click();
      await page.locator("::-p-text(5 min)").click();
      expect(await student.checkScreen("podcast-new")).toEqual([]);
      await student.press("button", "Make podcast");
      await page.waitForSelector(".player-play", { timeout: MAKING_LIMIT_MS });
      await page.locator(".player-play").click();
      await page.waitForFunction(() => document.querySelector('.line[data-state="now"]') !== null);
      expect(await student.checkScreen("podcast-making")).toEqual([]);
      await page.waitForFunction(() => document.querySelector(".episode-making") === null, {
        timeout: MAKING_LIMIT_MS,
      });

      const id = page.url().split("/").at(-1) ?? "";
      const transcript = await user.client.podcasts.getTranscript({ id });
      await listenOffline({ student, user, id, transcript });
      await student.press("button", "Saved offline");
      await student.press("menuitem", "Remove from this device");
      await student.waitForText("Keep offline");
      await listenAfterExpiry(student);
      await expectExactSeeks(student, transcript);
      await expectGoodSound(student, transcript);
      await useControls(student, transcript, "Cells");
      await page.locator(".player-play").click();
      await page.waitForFunction(() => document.querySelector('.line[data-state="now"]') !== null);
      expect(await student.checkScreen("podcast-playing")).toEqual([]);

      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press("Space");
      await page.waitForSelector('.player-play[aria-label="Play"]');
      await page.keyboard.press("o");
      await page.waitForFunction(() => location.pathname.startsWith("/pdf/"));
      await page.waitForSelector(".mini-player");
      await page.waitForSelector("h1.pdf-name");
      expect(await student.checkScreen("podcast-mini")).toEqual([]);
      await student.open("/podcasts");
      await student.waitForText("5 minutes");
      expect(await student.checkScreen("podcasts-list")).toEqual([]);

      const { share } = await user.client.sharing.putShare({ type: "podcast", id });
      await student.open(`/s/${share._id}`);
      await page.waitForFunction(() => (document.querySelector("audio")?.duration ?? 0) > 200);
      await page.evaluate(() => document.querySelectorAll<HTMLElement>(".shared-episode .line-text")[6]?.click());
      await page.waitForSelector(".shared-episode .lit");
      expect(await student.checkScreen("podcast-shared")).toEqual([]);
    } finally {
      await student.close();
    }
  },
);

const LECTURE = [
  "A membrane is a thin layer that surrounds every living cell.",
  "Proteins in the membrane carry salts and sugar into the cell.",
  "Water passes through the membrane by a process called osmosis.",
  "A cell without its membrane loses its salts and dies within minutes.",
];

/** A lecture on the web, with its transcript. */
async function aLecture({ client }: TestUser): Promise<string> {
  const { component } = await client.video.createVideoComponent({ url: "https://videos.example.org/Membranes.mp4" });
  const segments = LECTURE.map((text, index) => ({ startMs: index * 5000, endMs: index * 5000 + 4500, text }));
  await client.video.putTranscript({ id: component._id, language: "en", segments });
  return component._id;
}

/** Presses "Make podcast" in the dialog, and waits for the finished episode. */
async function makePodcast(student: Student): Promise<void> {
  await student.waitForText("Ewan");
  await student.press("button", "Make podcast");
  await student.page.waitForFunction(
    () => document.querySelector(".player-play") !== null && document.querySelector(".episode-making") === null,
    { timeout: MAKING_LIMIT_MS },
  );
}

test(
  "podcasts are made from a video and from a folder, and a citation marker opens the second of the video",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    await page.evaluateOnNewDocument(rememberPlayed);
    try {
      const video = await aLecture(user);
      await student.open(`/video/${video}`);
      await student.press("button", "Make a podcast");
      await makePodcast(student);
      const badge = await page.waitForSelector('.line[data-speaker="guest"] .cite-badge');
      await badge?.evaluate((mark) => (mark as HTMLElement).click());
      await page.waitForFunction(() => location.pathname.startsWith("/video/"));
      await page.waitForSelector("mark.lit");
      expect(await student.checkScreen("podcast-video")).toEqual([]);

      const folder = ulid();
      const items = [{ item_id: video, item_type: "component_video" as const, created_at: 1 }];
      await user.client.sync.sendChanges({
        payload: [
          aChange("folder_create", folder, { title: "Cells", color: "GREEN", createdAt: 1 }),
          aChange("folder_update", folder, { items }),
        ],
      });
      await student.open(`/folder/${folder}`);
      await student.waitForText("Membranes.mp4");
      await student.press("button", "Folder menu");
      await student.press("menuitem", "Make a podcast");
      await makePodcast(student);
    } finally {
      await student.close();
    }
  },
);

test(
  "a podcast from a research session cites the stored source with the words highlighted, and the search finds its lines",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    try {
      const pageId = await aPage(user, "Protein synthesis");
      for (const text of RIBOSOME) await aText(user, pageId, text);
      const { session } = await runResearch(user.client, { userMessage: "How does the ribosome make proteins?" });
      await student.open(`/research/${session._id}`);
      await student.press("button", "More actions");
      await student.press("menuitem", "Make podcast");
      await student.waitForText("Ewan");
      expect(await student.checkScreen("podcast-new-research")).toEqual([]);
      await student.press("button", "Make podcast");
      await page.waitForSelector(".player-play", { timeout: MAKING_LIMIT_MS });
      const badge = await page.waitForSelector('.line[data-speaker="guest"] .cite-badge');
      await badge?.evaluate((mark) => (mark as HTMLElement).click());
      await page.waitForSelector("dialog mark.lit");
      expect(await student.checkScreen("podcast-snapshot")).toEqual([]);

      // Only a finished episode is searched.
      const statuses = async () =>
        (await user.client.pages.getContent({})).content.podcasts?.map(({ status }) => status);
      await expect.poll(statuses, { timeout: MAKING_LIMIT_MS }).toEqual(["completed"]);
      await student.open("/search");
      await page.locator('[role="combobox"]').fill("joining amino");
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[role="option"]')].some((row) => /\d:\d\d/.test(row.textContent ?? "")),
      );
    } finally {
      await student.close();
    }
  },
);

test("a podcast that could not be made from the home screen shows the reason and can be tried again", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  try {
    const german = "Die Zelle ist die kleinste Einheit des Lebens, die sich selbst vermehren kann.\n\n".repeat(8);
    const id = await aDocument(user, german, "Zellen.pdf");
    await student.open(`/pdf/${id}`);
    await student.waitForText("kleinste Einheit");
    await student.press("button", "View options");
    await student.press("menuitem", "Make a podcast");
    await page.waitForSelector(".podcast-source-list input:checked");
    await student.press("button", "Cancel");

    await student.open("/home");
    await student.press("button", "Make podcast");
    await student.waitForText("Ewan");
    await page.locator(".podcast-source").click();
    await student.press("button", "Make podcast");
    await page.waitForFunction(() => location.pathname.startsWith("/podcast/"));
    await student.waitForText("This podcast was not finished");
    await student.waitForText("is not in English");
    expect(await student.checkScreen("podcast-failed")).toEqual([]);
    await student.press("button", "Try again");
    await student.waitForText("is not in English");
  } finally {
    await student.close();
  }
});
