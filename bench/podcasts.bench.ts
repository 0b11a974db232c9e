import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startServerProcess } from "../tests/kit/servers/server-process.ts";
import { aDocument, guest } from "../tests/podcasts/made-podcast.ts";
import { aTextbook } from "../tests/podcasts/textbook.ts";
import type { Bench, Row } from "./row.ts";

const LENGTH_MINUTES = 10;
const POLL_MS = 200;
const SECOND_MS = 1000;
const KB = 1024;

/** A memory figure that Linux reports for a process, in MB. */
function readMemory(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / KB;
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and of its children that have ended. */
function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

async function aClient(origin: string) {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

type Client = Awaited<ReturnType<typeof aClient>>;

/** Makes an episode and measures it. The peak of memory is that since the server started. */
async function makeEpisode(client: Client, pid: number, id: string) {
  const [before, cpuBefore, startedAt] = [readMemory(pid, "VmRSS"), readCpuSeconds(pid), performance.now()];
  const sources = [{ type: "pdf" as const, id }];
  const request = { title: "Cells", sources, guest, length_minutes: LENGTH_MINUTES } as const;
  let { podcast } = await client.podcasts.createPodcast(request);
  let [firstPartMs, secondPartMs, openingMs] = [Number.NaN, Number.NaN, 0];
  while (podcast.status !== "completed" && podcast.status !== "failed") {
    await pause(POLL_MS);
    ({ podcast } = await client.podcasts.getPodcast({ id: podcast._id }));
    const isFirst = Number.isNaN(firstPartMs) && podcast.duration_ms > 0;
    if (isFirst) [firstPartMs, openingMs] = [performance.now() - startedAt, podcast.duration_ms];
    const isSecond = Number.isNaN(secondPartMs) && openingMs > 0 && podcast.duration_ms > openingMs;
    if (isSecond) secondPartMs = performance.now() - startedAt;
  }
  if (podcast.error) throw new Error(podcast.error.message);
  return {
    seconds: (performance.now() - startedAt) / SECOND_MS,
    cpuSeconds: readCpuSeconds(pid) - cpuBefore,
    firstPartSeconds: firstPartMs / SECOND_MS,
    waitSeconds: Math.max(0, secondPartMs - firstPartMs - openingMs) / SECOND_MS,
    lengthErrorPercent: Math.abs(podcast.duration_ms / (LENGTH_MINUTES * 60 * SECOND_MS) - 1) * 100,
    before,
    added: readMemory(pid, "VmHWM") - before,
  };
}

/** Copies of the chapter that make a book of about 900 pages. */
const LONG_COPIES = 70;

/** Ten-minute episodes with the built-in voices: time to make them, time until they can be played, and memory. */
export const bench: Bench = {
  name: "podcasts",
  async run(): Promise<Row[]> {
    const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
    try {
      const client = await aClient(server.origin);
      const pid = server.pid ?? 0;
      const chapter = await makeEpisode(client, pid, await aDocument({ client }, aTextbook()));
      const text = aTextbook();
      const long = Array.from({ length: LONG_COPIES }, () => text).join("\n\n");
      const book = await makeEpisode(client, pid, await aDocument({ client }, long, "Book.pdf"));
      return [
        { what: "an episode of 10 minutes is made", value: chapter.seconds, unit: "s", goal: "30 s on an idle core" },
        { what: "CPU time of making the episode", value: chapter.cpuSeconds, unit: "s", goal: "30 s" },
        { what: "its first part can be played", value: chapter.firstPartSeconds, unit: "s", goal: "5 s" },
        {
          what: "a listener who begins at once waits after the opening",
          value: chapter.waitSeconds,
          unit: "s",
          goal: "",
        },
        {
          what: "its length differs from the requested one by",
          value: chapter.lengthErrorPercent,
          unit: "%",
          goal: "10 %",
        },
        { what: "memory of the server before", value: chapter.before, unit: "MB", goal: "" },
        { what: "memory that making adds at most", value: chapter.added, unit: "MB", goal: "300 MB" },
        { what: "an episode from a book of about 900 pages is made", value: book.seconds, unit: "s", goal: "" },
        {
          what: "its first part can be played, while the book is read",
          value: book.firstPartSeconds,
          unit: "s",
          goal: "5 s",
        },
        { what: "a listener who begins at once waits after the opening", value: book.waitSeconds, unit: "s", goal: "" },
        {
          what: "its length differs from the requested one by",
          value: book.lengthErrorPercent,
          unit: "%",
          goal: "10 %",
        },
        { what: "memory that the book adds at most", value: book.added, unit: "MB", goal: "" },
      ];
    } finally {
      await server.dispose();
    }
  },
};
