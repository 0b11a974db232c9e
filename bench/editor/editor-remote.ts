import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page } from "puppeteer";
import { ulid } from "ulid";
import { clientAt } from "../../tests/kit/account.ts";
import { aChange } from "../../tests/store/changes.ts";
import type { Row } from "../row.ts";

const EDITS = 24;
/** Lists and the offline cache are updated after the edit itself. */
const REST_MS = 2_500;

interface OpenPage {
  page: Page;
  cdp: CDPSession;
  scriptMs: (cdp: CDPSession) => Promise<number>;
  p95: (values: readonly number[]) => number;
}

interface There {
  origin: string;
  token: string;
  pageId: string;
}

/** The caret's line, offset and vertical position. */
const caretOf = (page: Page) =>
  page.evaluate(() => {
    const at = getSelection();
    const line = at?.focusNode?.parentElement?.closest(".page-text");
    return `${line?.textContent} ${at?.focusOffset} ${Math.round(line?.getBoundingClientRect().top ?? -1)}`;
  });

/** Places the caret in a line that nobody else edits. */
const putCaret = (page: Page) =>
  page.evaluate(() => {
    const lines = document.querySelectorAll(".page-text");
    const line = lines[Math.floor(lines.length / 8)];
    line?.scrollIntoView({ block: "center" });
    const words = line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
    if (words) getSelection()?.collapse(words, 3);
  });

/** Reports texts as soon as they appear in the document; returns a function that waits for one. */
async function watchWords(page: Page): Promise<(words: string) => Promise<void>> {
  const waiting = new Map<string, () => void>();
  await page.exposeFunction("reportWords", (words: string) => waiting.get(words)?.());
  await page.evaluate(() => {
    const { reportWords } = globalThis as unknown as { reportWords: (words: string) => void };
    const seen = (records: MutationRecord[]) => {
      for (const { target } of records) {
        const [found] = /^elsewhere \d+/.exec((target as CharacterData).data ?? target.textContent ?? "") ?? [];
        if (found !== undefined) return reportWords(found);
      }
      return undefined;
    };
    const root = document.querySelector(".page-document");
    if (root) new MutationObserver(seen).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return (words) => new Promise((resolve) => waiting.set(words, resolve));
}

/**
 * Another device edits lines at the start, near the caret and at the end of the open page. Measures the browser's
 * script time from receiving each edit until it is shown.
 */
export async function remoteEdits({ page, cdp, scriptMs, p95 }: OpenPage, there: There): Promise<Row[]> {
  const phone = clientAt(there.origin, there.token);
  await page.bringToFront();
  const { components } = await phone.pages.getPage({ id: there.pageId });
  const lines = components.filter((one) => one.type === "text");
  const written = await watchWords(page);
  const [until, behind]: [number[], number[]] = [[], []];
  let steady = 0;
  await putCaret(page);
  // Newly visible lines are laid out and measured a moment later.
  await pause(REST_MS);
  const before = await caretOf(page);
  for (let n = 0; n <= EDITS; n += 1) {
    const line = lines[Math.floor(((n % 5) / 4) * (lines.length - 1)) - Math.floor(n / 5)] ?? lines[n];
    if (!line) throw new Error("The page has no lines");
    const words = `elsewhere ${n}`;
    const newContent = { ...line.content, text: [{ content: `${words} and nothing else` }] };
    const change = aChange("component_content_update", line._id, { newContent }, { id: ulid(), clientId: "phone" });
    const begun = await scriptMs(cdp);
    const seen = written(words);
    await phone.sync.sendChanges({ payload: [{ ...change, baseVersion: line.version }] });
    await seen;
    const shown = await scriptMs(cdp);
    await pause(REST_MS);
    // The first edit also opens the stream and runs code for the first time.
    if (n === 0) continue;
    until.push(shown - begun);
    behind.push((await scriptMs(cdp)) - shown);
    if ((await caretOf(page)) === before) steady += 1;
  }
  return [
    {
      what: "script from receiving a remote edit until it is shown, p95",
      value: p95(until),
      unit: "ms",
      goal: "≤ 2",
    },
    { what: "remote edits that left the caret where it was", value: (steady / EDITS) * 100, unit: "%", goal: "100" },
    {
      what: "script for lists and offline cache after a remote edit, p95",
      value: p95(behind),
      unit: "ms",
      goal: "reported",
    },
  ];
}
