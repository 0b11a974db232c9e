import { browser } from "wxt/browser";

const REQUESTS = ["card", "page", "clip", "region", "panel"] as const;
export type BarRequest = (typeof REQUESTS)[number];

interface BarMessage {
  from: "bar";
  ask: BarRequest;
}

interface BarTab {
  id: number;
  windowId: number;
  url?: string | undefined;
}

const isBarMessage = (message: unknown): message is BarMessage => {
  if (typeof message !== "object" || message === null) return false;
  const { from, ask: request, ...rest } = message as Record<string, unknown>;
  return from === "bar" && REQUESTS.some((known) => known === request) && Object.keys(rest).length === 0;
};

/** Whether the extension was updated after this script was injected; such a script can no longer send messages. */
function isReplaced(): boolean {
  try {
    return browser.runtime.id === undefined;
  } catch {
    return true;
  }
}

const REPLACED_CHECK_MS = 500;

/**
 * Requests an action from the toolbar; returns a message for the student, empty if there was no answer, and undefined
 * after an update of the extension. A message that is sent during an update may never be answered nor refused.
 */
export async function sendBarRequest(request: BarRequest): Promise<string | undefined> {
  const message: BarMessage = { from: "bar", ask: request };
  let timer: ReturnType<typeof setInterval> | undefined;
  const replaced = new Promise<undefined>((resolve) => {
    timer = setInterval(() => {
      if (isReplaced()) resolve(undefined);
    }, REPLACED_CHECK_MS);
  });
  try {
    const answered = browser.runtime.sendMessage(message).then((answer) => String(answer ?? ""));
    return await Promise.race([answered, replaced]);
  } catch {
    return isReplaced() ? undefined : "";
  } finally {
    clearInterval(timer);
  }
}

/**
 * Accepts only known requests from our own script in a tab's top document, and applies them to that tab, even if the
 * message names another.
 */
export function listenToBarRequests(handle: (request: BarRequest, tab: BarTab) => Promise<string>): void {
  browser.runtime.onMessage.addListener((message: unknown, sender, respond: (answer: string) => void) => {
    const { id, windowId, url } = sender.tab ?? {};
    const isOurs = sender.id === browser.runtime.id && sender.frameId === 0;
    if (!isOurs || id === undefined || windowId === undefined || !isBarMessage(message)) return undefined;
    void handle(message.ask, { id, windowId, url }).then(respond, () => respond(""));
    return true;
  });
}
