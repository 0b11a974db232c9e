import type { Page } from "puppeteer";
import { assemble } from "#api/kit/assemble.ts";
import { systemClock } from "#api/kit/clock.ts";
import type { UserCtx } from "#api/kit/handler.ts";
import { makeLog } from "#api/kit/log.ts";
import { readSettings } from "#api/kit/settings.ts";
import { ownedBy } from "#api/kit/store/owned.ts";
import { anAccount } from "../tests/kit/account.ts";
import { openBrowser } from "../tests/kit/browser.ts";
import { type ServerProcess, startServerProcess } from "../tests/kit/server-process.ts";
import { BIG_PAGE, fillBigAccount } from "./big-account.ts";
import { type Bench, median, type Row } from "./row.ts";

const ROUNDS = 7;
const GRADES = 40;

export const bench: Bench = {
  name: "study in the browser",
  async run() {
    const server = await startServerProcess();
    const browser = await openBrowser();
    try {
      const { token, deck } = await aBigAccount(server);
      const page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      await page.setViewport({ width: 1360, height: 860 });
      await browser.setCookie({ name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" });
      await page.goto(`${server.origin}/home`);
      await page.waitForSelector(".home-deck");
      const due = await askDue(page, token);
      const opened = await openDeck(page, `${server.origin}/page/${BIG_PAGE}/study/${deck}`);
      const graded = await grade(page);
      return [
        rowOf("due queue over 50,000 cards and 180,000 reviews, asked by the browser", due, "<= 250"),
        rowOf("a deck of 12,500 of them, from the address to its first card", [opened], "reported"),
        rowOf("grade to the next card on the screen, median", graded, "<= 50"),
        {
          what: "grade to the next card on the screen, 95th percentile",
          value: graded.toSorted((a, b) => a - b)[Math.floor(graded.length * 0.95)] ?? Number.NaN,
          unit: "ms",
          goal: "reported",
        },
      ];
    } finally {
      await browser.close();
      await server.dispose();
    }
  },
};

const rowOf = (what: string, times: readonly number[], goal: string): Row => ({
  what,
  value: median(times),
  unit: "ms",
  goal,
});

/** An account made through the door; its years of study are written while the server rests. */
async function aBigAccount(server: ServerProcess): Promise<{ token: string; deck: string }> {
  const { client, token } = await anAccount(server.origin);
  const { user } = await client.auth.getUser({});
  await server.stop();
  const settings = readSettings({ NODE_ENV: "production", LOG_LEVEL: "silent", DATA_DIR: server.dataDir });
  const running = await assemble(settings, { clock: systemClock, log: makeLog("silent") });
  const ctx = { ...running.deps, own: ownedBy(running.deps.store, user._id), caller: user };
  const [deck = ""] = await fillBigAccount(ctx as unknown as UserCtx, Date.now());
  await running.close();
  await server.start();
  return { token, deck };
}

const askDue = (page: Page, token: string): Promise<number[]> =>
  page.evaluate(
    async (bearer, rounds) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const from = performance.now();
        const reply = await fetch("/v1/study/due", { headers: { authorization: `Bearer ${bearer}` } });
        await reply.json();
        times.push(performance.now() - from);
      }
      return times;
    },
    token,
    ROUNDS,
  );

async function openDeck(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForSelector(".study-show");
  return page.evaluate(() => performance.now());
}

/** From the key to the frame that shows the next card's question. */
async function grade(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < GRADES; at += 1) {
    await page.waitForSelector(".study-show");
    await page.keyboard.press("Space");
    await page.waitForSelector(".study-grades");
    times.push(
      await page.evaluate(async () => {
        const from = performance.now();
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "3", bubbles: true }));
        while (!document.querySelector(".study-show")) await new Promise(requestAnimationFrame);
        return performance.now() - from;
      }),
    );
  }
  return times;
}
