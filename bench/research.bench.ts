import { performance } from "node:perf_hooks";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { aResearchQuestion } from "#tests/kit/research.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { type Bench, median } from "./row.ts";

const SESSIONS = 1000;
const AT_ONCE = 20;
const ROUNDS = 9;
const PAGES = 200;

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export const bench: Bench = {
  name: "research",
  async run() {
    const server = await startServerProcess({ DEFAULT_PLAN: "ULTIMATE", RATE_LIMIT_FACTOR: "100000" });
    try {
      const guest = createClient(v1, fetchTransport({ origin: server.origin, token: () => undefined }));
      const { token } = await guest.auth.register({ name: "Ada", email: "ada@example.org", password: PASSWORD });
      const client = createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
      for (let at = 0; at < PAGES; at += 1)
        await aText(
          { client },
          await aPage({ client }, `Lecture ${at}`),
          `The ribosome of kind ${at} reads messenger RNA.`,
        );
      const firstLine: number[] = [];
      const whole: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        let hasText = false;
        for await (const event of client.research.sendResearch(aResearchQuestion()))
          if (!hasText && event.type === "canvas_update" && event.citations.length > 0) {
            hasText = true;
            firstLine.push(performance.now() - startedAt);
          }
        whole.push(performance.now() - startedAt);
      }
      for (let at = 0; at < SESSIONS; at += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, n) =>
            client.research.newSession({ conversation_title: `Session ${at + n}` }),
          ),
        );
      const listed: number[] = [];
      const found: number[] = [];
      await client.library.search({ q: "ribosome" });
      for (let round = 0; round < ROUNDS; round += 1) {
        listed.push(await measure(() => client.research.listConversations({})));
        found.push(await measure(() => client.library.search({ q: "ribosome" })));
      }
      return [
        { what: "first verified line of a quick session", value: median(firstLine), unit: "ms", goal: "<= 3000" },
        { what: "quick session over 200 pages", value: median(whole), unit: "ms", goal: "<= 10000" },
        { what: "1,000 sessions listed", value: median(listed), unit: "ms", goal: "<= 100" },
        { what: "search beside 1,000 sessions", value: median(found), unit: "ms", goal: "<= 200" },
      ];
    } finally {
      await server.dispose();
    }
  },
};
