import { monotonicFactory } from "ulid";
import { z } from "zod";
import { normalAddress } from "#shared/capture/rules.ts";
import { CaptureLocator } from "#shared/capture/schema.ts";
import { tell } from "#extension/kit/channel.ts";
import { readSetting, writeSetting } from "#extension/kit/disk.ts";
import { words } from "#extension/kit/words.ts";
import { runInTab, showBadge } from "#extension/platform/reading-tabs.ts";
import { ensureWorker } from "#extension/platform/worker-document.ts";
import { type Capture, keepCapture, type Raw } from "./store.ts";

const makeId = monotonicFactory();
const MAX_HTML = 60_000_000;

const Facts = z.object({
  address: z.string().max(20_000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  contentType: z.string().max(200),
});
/** A page may have replaced what our script calls: its answer is held to its shape like any other input. */
const ReadSelection = Facts.extend({ text: z.string().max(100_000), locator: CaptureLocator.nullable() });
const ReadPage = Facts.extend({ html: z.string().max(MAX_HTML) });

type Fresh = Pick<Capture, "kind" | "address" | "title" | "author"> & Partial<Capture>;

/** Puts a capture on disk; when this resolves the gesture may be confirmed. */
export async function keep(fresh: Fresh, raw: Raw): Promise<Capture> {
  const account = await readSetting("account");
  const capture: Capture = {
    id: makeId(),
    state: "raw",
    accountId: account?.accountId ?? null,
    capturedAt: Date.now(),
    locator: null,
    card: null,
    problem: null,
    notice: null,
    resources: [],
    pageId: null,
    componentId: null,
    ...fresh,
  };
  await keepCapture(capture, raw);
  tell("work");
  await ensureWorker();
  return capture;
}

async function say(text: string): Promise<void> {
  await writeSetting("notice", { text, at: Date.now() });
  tell("captures");
}

async function refuse(tabId: number, text: string): Promise<void> {
  await say(text);
  await showBadge("!", tabId);
}

async function confirmed(tabId: number): Promise<void> {
  await say("");
  await showBadge("✓", tabId);
}

const knownAddress = (text: string) => normalAddress(text) ?? text;

/** What is selected on a page becomes a draft of a card. `menuText` is what a context menu says is selected. */
export async function captureSelection(tabId: number, menuText?: string): Promise<void> {
  const answers = await runInTab(tabId, "read-selection").catch(() => undefined);
  if (!answers) return refuse(tabId, words.cannot_read);
  const read = answers.flatMap((answer) => ReadSelection.safeParse(answer).data ?? []);
  const found = read.find(({ text }) => text !== "");
  const main = read[0];
  const text = found?.text ?? menuText?.trim() ?? "";
  if (!main || text === "") return refuse(tabId, words.nothing_selected);
  const locator = found?.locator ?? { quote: text.slice(0, 8000) };
  await keep(
    { kind: "card", address: knownAddress(main.address), title: main.title, author: main.author, locator },
    { text },
  );
  return confirmed(tabId);
}

/** The page as the student sees it becomes a note; undefined where it cannot be read. */
export async function capturePage(tabId: number): Promise<Capture | undefined> {
  const answers = await runInTab(tabId, "read-page").catch(() => undefined);
  const read = ReadPage.safeParse(answers?.[0]).data;
  if (!read) {
    await refuse(tabId, words.cannot_read);
    return undefined;
  }
  const { address, title, author, html } = read;
  const kept = await keep({ kind: "note", address: knownAddress(address), title, author }, { html });
  await confirmed(tabId);
  return kept;
}

/** A link is kept for later, with the words that stood on it. */
export async function captureLink(tabId: number, address: string, title: string): Promise<void> {
  const known = normalAddress(address);
  if (known === undefined) return refuse(tabId, words.no_page);
  await keep({ kind: "link", address: known, title: title.slice(0, 500) || known, author: null, state: "ready" }, {});
  return confirmed(tabId);
}
