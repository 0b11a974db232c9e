// Two tabs of one browser write and move blocks for a minute, while the connection to the server is slow or loses answers
// and the server is killed. At every moment, each word that the screen has shown as saved must be on the page once; at the
// end, so must every word that was typed.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "puppeteer";
import { plainText } from "#shared/pages/runs.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { seededDraws } from "#tests/kit/random.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { isFull } from "#tests/kit/all-cases.ts";

const WRITING_MS = isFull ? 60_000 : 30_000;
const LINES_A_TAB = 6;
const FOUND_FAULTS = 3;
const TIMEOUT_MS = 60_000;
const RESTING_MS = 2500;
const randomInt = seededDraws("ledger");

const print = (line: string) => process.stdout.write(`  ${line}\n`);

type NetworkState = "normal" | "slow" | "losing";

/** A proxy that can delay answers, or deliver requests and lose their answers. */
async function startProxy(origin: string) {
  const upstreamPort = Number(new URL(origin).port);
  let state: NetworkState = "normal";
  let lostAnswers = 0;
  const answer = async (client: Socket, server: Socket, piece: Buffer) => {
    if (state === "slow") await pause(300 + randomInt(1200));
    if (state === "losing") {
      lostAnswers += 1;
      server.destroy();
      client.destroy();
    } else if (!client.destroyed) client.write(piece);
  };
  const proxy = createServer((client) => {
    const server = connect(upstreamPort, "127.0.0.1");
    let pending = Promise.resolve();
    client.on("data", (piece) => server.write(piece));
    server.on("data", (piece) => {
      pending = pending.then(() => answer(client, server, Buffer.from(piece)));
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => void pending.then(() => other.destroy()));
    }
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    setState: (next: NetworkState) => {
      state = next;
    },
    countLostAnswers: () => lostAnswers,
    close: () => proxy.close(),
  };
}

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000" });
const proxy = await startProxy(server.origin);
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
  await openPage(page);
  return page;
}

/** Opens the page, and tries again if the network loses it, as a student would. */
async function openPage(page: Page): Promise<void> {
  const address = `${proxy.origin}/page/${pageId}`;
  for (let tries = 0; tries < 40; tries += 1) {
    const response = await page.goto(address, { waitUntil: "domcontentloaded" }).catch(() => null);
    if (response && (await page.waitForSelector(".page-text", { timeout: 10_000 }).catch(() => null))) return;
    await pause(500);
  }
  throw new Error("the page did not open");
}

/** Puts the caret at the end of a line. */
const goToLine = (page: Page, begin: string) =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll<HTMLElement>(".page-text")].find((candidate) =>
      candidate.textContent.startsWith(wanted),
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

/** Reads the state two frames later, because the latest input may not be rendered yet. */
const isSaved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<boolean>((seen) => {
        const look = () => seen(document.querySelector(".top-bar-state")?.textContent === "Saved");
        requestAnimationFrame(() => requestAnimationFrame(look));
      }),
  );
const textOnScreen = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll(".page-text")].map((line) => line.textContent).join("\n"));

interface Writer {
  tab: Tab;
  page: Page;
  words: string[];
  /** How many of the words the screen has shown as saved. */
  acknowledged: number;
  moves: number;
}

/** Pauses for a while, as a student who reads; what the screen then shows as saved must never disappear. */
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

/** One step of a student: usually types a word at the end of one of the tab's own lines, sometimes moves a block. */
async function step(writer: Writer): Promise<void> {
  const { tab, page, words } = writer;
  if (!(await goToLine(page, `line ${tab}${randomInt(LINES_A_TAB)}:`)))
    throw new Error("a line is gone from the screen");
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
  const texts = components.map(({ type, content }) => (type === "text" ? plainText(content.text) : ""));
  return { ids: components.map(({ _id }) => _id), text: texts.join("\n") };
}

const countIn = (text: string, word: string) => text.split(/\s+/).filter((found) => found === word).length;

function findFaults(where: string, text: string, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const times = countIn(text, word);
    return times === 1 ? [] : [`${word} is there ${times} times ${where}`];
  });
}

const writers: Writer[] = [];
for (const tab of tabs) writers.push({ tab, page: await openTab(), words: [], acknowledged: 0, moves: 0 });
const found: string[] = [];
let kills = 0;
let checked = 0;

/** Kills the server, and checks that everything that the tabs showed as saved is still there. */
async function killAndCheck(): Promise<void> {
  const before = writers.map(({ words, acknowledged }) => words.slice(0, acknowledged));
  kills += 1;
  await server.kill();
  await pause(1500);
  await server.start();
  const { text } = await textOnServer();
  for (const words of before) {
    checked += words.length;
    found.push(...findFaults("after a kill although it was shown as saved", text, words));
  }
}

const endsAt = performance.now() + WRITING_MS;
const isOver = () => performance.now() >= endsAt;

async function changeNetwork(): Promise<void> {
  while (!isOver()) {
    proxy.setState("slow");
    await pause(4000);
    proxy.setState("normal");
    await pause(3000);
    proxy.setState("losing");
    await pause(3000);
    proxy.setState("normal");
    await pause(1500);
    if (!isOver()) await killAndCheck();
    await pause(1500);
  }
  proxy.setState("normal");
}

/** Lets the tabs write in turn, because only one tab at a time has the keyboard. */
async function write(): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const writer = writers[turn % 2];
    if (!writer) return;
    await writer.page.bringToFront();
    for (let n = 0; n < 8 && !isOver(); n += 1) await step(writer);
    await rest(writer);
    if (turn === 9) {
      // The tab is reloaded in between; what was typed must be on the page again.
      await openPage(writer.page);
      const last = writer.words.at(-1) ?? "";
      await writer.page
        .waitForFunction((word) => document.body.textContent.includes(word), { polling: 100 }, last)
        .catch(() => found.push(`${last} is not on the screen after a reload`));
    }
  }
}

await Promise.all([changeNetwork(), write()]);
for (const { page } of writers) {
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved", {
    polling: 200,
  });
}
const { ids, text } = await textOnServer();
const typed = writers.flatMap(({ words }) => words);
found.push(...findFaults("on the server", text, typed));
if (ids.length !== LINES_A_TAB * 2 || new Set(ids).size !== ids.length)
  found.push(`${ids.length} blocks are on the page`);
for (const { page, tab } of writers) {
  await page.bringToFront();
  await openPage(page);
  await page
    .waitForFunction((wanted) => document.querySelectorAll(".page-text").length >= wanted, {}, ids.length)
    .catch(() => undefined);
  found.push(...findFaults(`on the screen of tab ${tab}`, await textOnScreen(page), typed));
}
const moves = writers.reduce((sum, writer) => sum + writer.moves, 0);
print(
  `${typed.length} words and ${moves} moves in two tabs; ${kills} kills, ${proxy.countLostAnswers()} answers lost; ` +
    `${checked} words checked at a kill`,
);
for (const fault of found.slice(0, 10)) print(fault);
print(found.length === 0 ? "nothing lost, nothing applied twice" : `${found.length} faults`);
await browser.close();
proxy.close();
await server.dispose();
process.exit(found.length === 0 ? 0 : FOUND_FAULTS);
