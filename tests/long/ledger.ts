// Two tabs of one browser write and move blocks for a minute, while the line to the server is slow, swallows answers,
// and the server is killed. Every word that the screen called saved must stand on the page once, at every moment, and
// at the end every word that was typed.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import { plainText } from "#shared/pages/runs.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { seededDraws } from "#tests/kit/random.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { isFull } from "./full.ts";

const WRITING_MS = isFull ? 60_000 : 30_000;
const LINES_A_TAB = 6;
const FOUND_FAULTS = 3;
const TIMEOUT_MS = 60_000;
const RESTING_MS = 2500;
const randomInt = seededDraws("ledger");

const print = (line: string) => process.stdout.write(`  ${line}\n`);

type Weather = "fair" | "slow" | "swallows";

/** A line to the server that delays answers, or takes requests there and loses what comes back. */
async function aLine(origin: string) {
  const far = Number(new URL(origin).port);
  let weather: Weather = "fair";
  let swallowed = 0;
  const answer = async (near: Socket, server: Socket, piece: Buffer) => {
    if (weather === "slow") await pause(300 + randomInt(1200));
    if (weather === "swallows") {
      swallowed += 1;
      server.destroy();
      near.destroy();
    } else if (!near.destroyed) near.write(piece);
  };
  const line = createServer((near) => {
    const server = connect(far, "127.0.0.1");
    let turn = Promise.resolve();
    near.on("data", (piece) => server.write(piece));
    server.on("data", (piece) => void (turn = turn.then(() => answer(near, server, Buffer.from(piece)))));
    for (const [socket, other] of [
      [near, server],
      [server, near],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => void turn.then(() => other.destroy()));
    }
  });
  await new Promise<void>((done) => line.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    turn: (next: Weather) => (weather = next),
    swallowed: () => swallowed,
    close: () => line.close(),
  };
}

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000" });
const line = await aLine(server.origin);
const ada = await registerAccount(server.origin);
const { token } = ada;
const pageId = await aPage(ada, "Ledger");
const tabs = ["a", "b"] as const;
type Tab = (typeof tabs)[number];
for (let n = 0; n < LINES_A_TAB; n += 1) for (const tab of tabs) await aText(ada, pageId, `line ${tab}${n}:`);

const browser = await openBrowser();
const context = await browser.createBrowserContext();
await context.setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });

async function openTab(): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await show(page);
  return page;
}

/** Again where the line swallows the page itself, as a student would. */
async function show(page: Page): Promise<void> {
  const address = `${line.origin}/page/${pageId}`;
  for (let tries = 0; tries < 40; tries += 1) {
    const response = await page.goto(address, { waitUntil: "domcontentloaded" }).catch(() => null);
    if (response && (await page.waitForSelector(".page-text", { timeout: 10_000 }).catch(() => null))) return;
    await pause(500);
  }
  throw new Error("the page did not open");
}

/** Puts the caret at the end of a line. */
const toLine = (page: Page, begin: string) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll<HTMLElement>(".page-text")].find((each) =>
      each.textContent.startsWith(wanted),
    );
    if (!found) return false;
    document.querySelector<HTMLElement>(".page-document")?.focus();
    const range = document.createRange();
    range.selectNodeContents(found);
    range.collapse(false);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return true;
  }, begin);

/** Read in a later frame: what was typed last may not have been drawn yet. */
const isSaved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((seen) => {
        const look = () => seen(document.querySelector(".top-bar-state")?.textContent === "Saved");
        requestAnimationFrame(() => requestAnimationFrame(look));
      }),
  );
const textOnScreen = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll(".page-text")].map((each) => each.textContent).join("\n"));

interface Writer {
  tab: Tab;
  page: Page;
  words: string[];
  /** How many of them the screen has called saved. */
  acknowledged: number;
  moves: number;
}

/** Rests a while, as a student who reads; what the screen calls saved then must never be gone again. */
async function rest(writer: Writer): Promise<void> {
  const until = performance.now() + RESTING_MS;
  while (performance.now() < until) {
    if (await isSaved(writer.page)) {
      writer.acknowledged = writer.words.length;
      return;
    }
    await pause(100);
  }
}

/** One step of a student's: mostly words at the end of a line of the tab's own, sometimes a block that changes its place. */
async function step(writer: Writer): Promise<void> {
  const { tab, page, words } = writer;
  if (!(await toLine(page, `line ${tab}${randomInt(LINES_A_TAB)}:`))) throw new Error("a line is gone from the screen");
  if (randomInt(6) === 0) {
    writer.moves += 1;
    await page.keyboard.down("Alt");
    await page.keyboard.down("Shift");
    await page.keyboard.press(randomInt(2) === 0 ? "ArrowUp" : "ArrowDown");
    await page.keyboard.up("Shift");
    await page.keyboard.up("Alt");
    return;
  }
  const word = `${tab}w${words.length}z`;
  await page.keyboard.type(` ${word}`, { delay: 5 });
  words.push(word);
}

async function textOnServer(): Promise<{ ids: string[]; text: string }> {
  const { components } = await ada.client.pages.getPage({ id: pageId });
  const texts = components.map((each) => (each.type === "text" ? plainText(each.content.text) : ""));
  return { ids: components.map(({ _id }) => _id), text: texts.join("\n") };
}

const timesIn = (text: string, word: string) => text.split(/\s+/).filter((each) => each === word).length;

function faultsIn(where: string, text: string, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const times = timesIn(text, word);
    return times === 1 ? [] : [`${word} is there ${times} times ${where}`];
  });
}

const writers: Writer[] = [];
for (const tab of tabs) writers.push({ tab, page: await openTab(), words: [], acknowledged: 0, moves: 0 });
const found: string[] = [];
let kills = 0;
let checked = 0;

/** What the tabs called saved is there after the server was killed at this moment. */
async function killNow(): Promise<void> {
  const before = writers.map(({ words, acknowledged }) => words.slice(0, acknowledged));
  kills += 1;
  await server.kill();
  await pause(1500);
  await server.start();
  const { text } = await textOnServer();
  for (const words of before) {
    checked += words.length;
    found.push(...faultsIn("after a kill though it was called saved", text, words));
  }
}

const endsAt = performance.now() + WRITING_MS;
const isOver = () => performance.now() >= endsAt;

async function changeWeather(): Promise<void> {
  while (!isOver()) {
    line.turn("slow");
    await pause(4000);
    line.turn("fair");
    await pause(3000);
    line.turn("swallows");
    await pause(3000);
    line.turn("fair");
    await pause(1500);
    if (!isOver()) await killNow();
    await pause(1500);
  }
  line.turn("fair");
}

/** In turn, since one tab at a time has the keyboard. */
async function write(): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const writer = writers[turn % 2];
    if (!writer) return;
    await writer.page.bringToFront();
    for (let n = 0; n < 8 && !isOver(); n += 1) await step(writer);
    await rest(writer);
    if (turn === 9) {
      // The tab is reloaded meanwhile: what was typed is on the page again.
      await show(writer.page);
      const last = writer.words.at(-1) ?? "";
      await writer.page
        .waitForFunction((word) => document.body.textContent.includes(word), { polling: 100 }, last)
        .catch(() => found.push(`${last} is not on the screen after a reload`));
    }
  }
}

await Promise.all([changeWeather(), write()]);
for (const { page } of writers) {
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved", {
    polling: 200,
  });
}
const { ids, text } = await textOnServer();
const typed = writers.flatMap(({ words }) => words);
found.push(...faultsIn("on the server", text, typed));
if (ids.length !== LINES_A_TAB * 2 || new Set(ids).size !== ids.length) found.push(`${ids.length} blocks stand there`);
for (const { page, tab } of writers) {
  await page.bringToFront();
  await show(page);
  await page
    .waitForFunction((wanted) => document.querySelectorAll(".page-text").length >= wanted, {}, ids.length)
    .catch(() => undefined);
  found.push(...faultsIn(`on the screen of tab ${tab}`, await textOnScreen(page), typed));
}
const moves = writers.reduce((sum, writer) => sum + writer.moves, 0);
print(
  `${typed.length} words and ${moves} moves in two tabs; ${kills} kills, ${line.swallowed()} answers swallowed; ` +
    `${checked} words checked at a kill`,
);
for (const fault of found.slice(0, 10)) print(fault);
print(found.length === 0 ? "nothing lost, nothing doubled" : `${found.length} faults`);
await browser.close();
line.close();
await server.dispose();
process.exit(found.length === 0 ? 0 : FOUND_FAULTS);
