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

/** A line of Linux's account of a process, in MB. */
function readMemory(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / KB;
}

async function aClient(origin: string) {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

/** An episode of ten minutes by the built-in voices: how long it takes, until it can be heard, and its memory. */
export const bench: Bench = {
  name: "podcasts",
  async run(): Promise<Row[]> {
    const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
    try {
      const client = await aClient(server.origin);
      const id = await aDocument({ client }, aTextbook());
      const pid = server.pid ?? 0;
      const before = readMemory(pid, "VmRSS");
      const startedAt = performance.now();
      const sources = [{ type: "pdf" as const, id }];
      const wish = { title: "Cells", sources, guest, length_minutes: LENGTH_MINUTES } as const;
      let { podcast } = await client.podcasts.createPodcast(wish);
      let firstPartMs = Number.NaN;
      while (podcast.status !== "completed" && podcast.status !== "failed") {
        await pause(POLL_MS);
        ({ podcast } = await client.podcasts.getPodcast({ id: podcast._id }));
        if (Number.isNaN(firstPartMs) && podcast.duration_ms > 0) firstPartMs = performance.now() - startedAt;
      }
      const madeMs = performance.now() - startedAt;
      if (podcast.error) throw new Error(podcast.error.message);
      const off = Math.abs(podcast.duration_ms / (LENGTH_MINUTES * 60 * SECOND_MS) - 1) * 100;
      return [
        {
          what: "an episode of 10 minutes is made",
          value: madeMs / SECOND_MS,
          unit: "s",
          goal: "30 s on an idle core",
        },
        { what: "its first part can be heard", value: firstPartMs / SECOND_MS, unit: "s", goal: "5 s" },
        { what: "its length is off the wish by", value: off, unit: "%", goal: "10 %" },
        { what: "memory of the server before", value: before, unit: "MB", goal: "" },
        {
          what: "memory that making adds at most",
          value: readMemory(pid, "VmHWM") - before,
          unit: "MB",
          goal: "300 MB",
        },
      ];
    } finally {
      await server.dispose();
    }
  },
};
