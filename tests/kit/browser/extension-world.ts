// Adds IndexedDB and other browser APIs that an extension needs to Node.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { onTestFinished } from "vitest";
import type { Account } from "#extension/app/settings-store.ts";

interface Asked {
  path: string;
  body: string;
}

type Answer = (asked: Asked) => Response | undefined | Promise<Response | undefined>;

const never = () => false;

const PIECES = 3;

function cutOff(whole: Response): Response {
  const reader = whole.body?.getReader();
  let pieces = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (value) controller.enqueue(value);
      pieces += 1;
      if (done) controller.close();
      else if (pieces >= PIECES) controller.error(new TypeError("network error"));
    },
  });
  return new Response(body, { status: whole.status, headers: whole.headers });
}

/** The browser APIs and the server that an extension's background documents need. */
export function anExtensionWorld() {
  const asked: Asked[] = [];
  let answer: Answer | undefined;
  let isLost: (call: Asked) => boolean = never;
  let cuts = 0;
  const real = globalThis.fetch;
  Object.defineProperty(navigator, "onLine", { value: true, configurable: true });
  Object.assign(globalThis, {
    addEventListener: () => undefined,
    chrome: { runtime: { getContexts: async () => [{}] }, tabs: { create: async () => undefined } },
    reportError: (error: unknown) => {
      throw error;
    },
    fetch: async (address: string | URL | Request, init?: RequestInit) => {
      const path = new URL(address instanceof Request ? address.url : address).pathname;
      const call = { path, body: typeof init?.body === "string" ? init.body : "" };
      asked.push(call);
      const given = (await answer?.(call)) ?? (await real(address, init));
      // The server handled the call, but its response is lost.
      if (isLost(call)) throw new TypeError("Failed to fetch");
      if (cuts === 0 || !/\/(?:ask|events)$/.test(path)) return given;
      cuts -= 1;
      return cutOff(given);
    },
  });
  onTestFinished(() => {
    globalThis.fetch = real;
  });
  return {
    asked,
    answerWith: (next: Answer | undefined) => {
      answer = next;
    },
    /** The next answers of the tutor are cut off after their first pieces. */
    loseStreams: (count: number) => {
      cuts = count;
    },
    loseAnswers: (which: typeof isLost) => {
      isLost = which;
    },
  };
}

/** Connects an account as signing in does. */
export async function connectAs(origin: string, account: Omit<Account, "hasEnded" | "name" | "email">): Promise<void> {
  const { writeSetting } = await import("#extension/app/settings-store.ts");
  await writeSetting("server", origin);
  await writeSetting("account", { ...account, name: "Ada", email: "ada@example.org", hasEnded: false });
}
