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

/** Whether this script is of a version that the browser has replaced since: nobody hears it any more. */
function isReplaced(): boolean {
  try {
    return browser.runtime.id === undefined;
  } catch {
    return true;
  }
}

/** Asks for something from the bar in a page; answers with a line for the student, undefined where an update came between. */
export async function askBackground(ask: BarAsk): Promise<string | undefined> {
  const message: FromBar = { from: "bar", ask };
  try {
    return String((await browser.runtime.sendMessage(message)) ?? "");
  } catch {
    return isReplaced() ? undefined : "";
  }
}

/**
 * Hears the bars, and nobody else: a message must come from this extension's own script in the top document of a tab,
 * and be one of the few that a bar can send. What is done is done with that tab, whatever the message says.
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
