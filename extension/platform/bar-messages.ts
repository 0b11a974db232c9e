import { browser } from "wxt/browser";

const asks = ["card", "page", "clip", "region", "panel"] as const;
export type BarAsk = (typeof asks)[number];

interface FromBar {
  from: "bar";
  ask: BarAsk;
}

interface BarTab {
  id: number;
  windowId: number;
  url?: string | undefined;
}

const isAsk = (message: unknown): message is FromBar => {
  if (typeof message !== "object" || message === null) return false;
  const { from, ask, ...rest } = message as Record<string, unknown>;
  return from === "bar" && asks.some((each) => each === ask) && Object.keys(rest).length === 0;
};

/** Whether the browser has replaced this script's version; it can no longer send messages. */
function isReplaced(): boolean {
  try {
    return browser.runtime.id === undefined;
  } catch {
    return true;
  }
}

/**
 * Requests an action from the toolbar; returns a message for the student, undefined after an update of the extension.
 */
export async function askBackground(ask: BarAsk): Promise<string | undefined> {
  const message: FromBar = { from: "bar", ask };
  try {
    return String((await browser.runtime.sendMessage(message)) ?? "");
  } catch {
    return isReplaced() ? undefined : "";
  }
}

/**
 * Accepts only known requests from our own script in a tab's top document, and applies them to that tab whatever the
 * message says.
 */
export function listenToBars(heard: (ask: BarAsk, tab: BarTab) => Promise<string>): void {
  browser.runtime.onMessage.addListener((message: unknown, sender, respond: (answer: string) => void) => {
    const { id, windowId, url } = sender.tab ?? {};
    const isOurs = sender.id === browser.runtime.id && sender.frameId === 0;
    if (!isOurs || id === undefined || windowId === undefined || !isAsk(message)) return undefined;
    void heard(message.ask, { id, windowId, url }).then(respond);
    return true;
  });
}
