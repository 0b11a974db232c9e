import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page } from "puppeteer";
import { ulid } from "ulid";
import { clientAt } from "../../tests/kit/account.ts";
import { aChange } from "../../tests/store/changes.ts";
import type { Row } from "../row.ts";

const EDITS = 24;
/** Lists and the offline cache are updated after the edit itself. */
const SETTLE_MS = 2_500;
const SHOWN_WITHIN_MS = 60_000;

interface OpenPage {
  page: Page;
  cdp: CDPSession;
  readScriptMs: (cdp: CDPSession) => Promise<number>;
  p95: (values: readonly number[]) => number;
}

interface PageLocation {
  origin: string;
  token: string;
  pageId: string;
}

/** The caret's line, offset and vertical position. */
const readCaret = (page: Page) =>
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
    const text = line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
    if (text) getSelection()?.collapse(text, 3);
  });

/** Reports texts as soon as they appear in the document; returns a function that waits for one. */
async function watchTexts(page: Page): Promise<(text: string) => Promise<void>> {
  const waiting = new Map<string, () => void>();
  await page.exposeFunction("reportWords", (text: string) => waiting.get(text)?.());
  await page.evaluate(() => {
    const { reportWords } = globalThis as unknown as { reportWords: (text: string) => void };
    const appeared = (records: MutationRecord[]) => {
      for (const { target } of records) {
        const [found] = /^elsewhere \d+/.exec((target as CharacterData).data ?? target.textContent ?? "") ?? [];
        if (found !== undefined) return reportWords(found);
      }
      return undefined;
    };
    const root = document.querySelector(".page-document");
    if (root) new MutationObserver(appeared).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return (text) => new Promise((resolve) => waiting.set(text, resolve));
}

/**
 * Another device edits lines at the start, near the caret and at the end of the open page. Measures the browser's
 * script time from receiving each edit until it is shown.
 */
export async function measureRemoteEdits(
  { page, cdp, readScriptMs, p95 }: OpenPage,
  target: PageLocation,
): Promise<Row[]> {
  const phone = clientAt(target.origin, target.token);
  await page.bringToFront();
  const { components } = await phone.pages.getPage({ id: target.pageId });
  const lines = components.filter((component) => component.type === "text");
  const waitForText = await watchTexts(page);
  const [untilShownMs, afterShownMs]: [number[], number[]] = [[], []];
  let unmovedCaretCount = 0;
  await putCaret(page);
  // Newly visible lines are laid out and measured a moment later.
  await pause(SETTLE_MS);
  const before = await readCaret(page);
  for (let n = 0; n <= EDITS; n += 1) {
    const line = lines[Math.floor(((n % 5) / 4) * (lines.length - 1)) - Math.floor(n / 5)] ?? lines[n];
    if (!line) throw new Error("The page has no lines");
    const text = `elsewhere ${n}`;
    const newContent = { ...line.content, text: [{ content: `${text} and nothing else` }] };
    const change = aChange("component_content_update", line._id, { newContent }, { id: ulid(), clientId: "phone" });
    const scriptBefore = await readScriptMs(cdp);
    const appeared = waitForText(text);
    await phone.sync.sendChanges({ payload: [{ ...change, baseVersion: line.version }] });
    const isShown = await Promise.race([appeared.then(() => true), pause(SHOWN_WITHIN_MS, false, { ref: false })]);
    if (!isShown) throw new Error(`The open page did not show "${text}" within ${SHOWN_WITHIN_MS / 1000} s`);
    const scriptShown = await readScriptMs(cdp);
    await pause(SETTLE_MS);
    // The first edit also opens the stream and runs code for the first time.
    if (n === 0) continue;
    untilShownMs.push(scriptShown - scriptBefore);
    afterShownMs.push((await readScriptMs(cdp)) - scriptShown);
    if ((await readCaret(page)) === before) unmovedCaretCount += 1;
  }
  return [
    {
      what: "script from receiving a remote edit until it is shown, p95",
      value: p95(untilShownMs),
      unit: "ms",
      goal: "≤ 2",
    },
    {
      what: "remote edits that left the caret where it was",
      value: (unmovedCaretCount / EDITS) * 100,
      unit: "%",
      goal: "100",
    },
    {
      what: "script for lists and offline cache after a remote edit, p95",
      value: p95(afterShownMs),
      unit: "ms",
      goal: "reported",
    },
  ];
}
