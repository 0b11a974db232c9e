import { setTimeout as pause } from "node:timers/promises";
import type { CDPSession, Page } from "puppeteer";
import { ulid } from "ulid";
import { clientAt } from "../../tests/kit/account.ts";
import { aChange } from "../../tests/store/changes.ts";
import type { Row } from "../row.ts";

const EDITS = 24;
/** Lists and what is kept on the disk follow behind the edit itself. */
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

/** Where the caret stands: in which words, how far in, and how high on the screen. */
const caretOf = (page: Page) =>
  page.evaluate(() => {
    const at = getSelection();
    const line = at?.focusNode?.parentElement?.closest(".page-text");
    return `${line?.textContent} ${at?.focusOffset} ${Math.round(line?.getBoundingClientRect().top ?? -1)}`;
  });

/** Into a line that nobody else writes. */
const putCaret = (page: Page) =>
  page.evaluate(() => {
    const lines = document.querySelectorAll(".page-text");
    const line = lines[Math.floor(lines.length / 8)];
    line?.scrollIntoView({ block: "center" });
    const words = line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
    if (words) getSelection()?.collapse(words, 3);
  });

/** Tells this process as soon as words stand in the document; answers how to wait for them. */
async function watchWords(page: Page): Promise<(words: string) => Promise<void>> {
  const waiting = new Map<string, () => void>();
  await page.exposeFunction("tellWords", (words: string) => waiting.get(words)?.());
  await page.evaluate(() => {
    const { tellWords } = globalThis as unknown as { tellWords: (words: string) => void };
    const seen = (records: MutationRecord[]) => {
      for (const { target } of records) {
        const [found] = /^elsewhere \d+/.exec((target as CharacterData).data ?? target.textContent ?? "") ?? [];
        if (found !== undefined) return tellWords(found);
      }
      return undefined;
    };
    const root = document.querySelector(".page-document");
    if (root) new MutationObserver(seen).observe(root, { subtree: true, childList: true, characterData: true });
  });
  return (words) => new Promise((resolve) => waiting.set(words, resolve));
}

/**
 * Another device writes lines of the open page, at its beginning, near the caret and at its end: what the browser's
 * scripts take from hearing of it until it stands there.
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
  // What comes into sight with it is laid out, and finds its own height, a moment after.
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
    // The first finds the stream, and code that never ran.
    if (n === 0) continue;
    until.push(shown - begun);
    behind.push((await scriptMs(cdp)) - shown);
    if ((await caretOf(page)) === before) steady += 1;
  }
  return [
    {
      what: "script from hearing of a remote edit until it stands there, p95",
      value: p95(until),
      unit: "ms",
      goal: "≤ 2",
    },
    { what: "remote edits that left the caret where it was", value: (steady / EDITS) * 100, unit: "%", goal: "100" },
    { what: "script of lists and keeping behind a remote edit, p95", value: p95(behind), unit: "ms", goal: "reported" },
  ];
}
