// Imports card packages and note archives that are far too large, through the API: `node tests/long/packages.ts [WORD]`; with
// a word, only the cases whose name contains it.
// What fits must be imported and the rest reported, no import may hang, and the server process must not grow or be blocked.
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { createApp } from "#api/app.ts";
import { assemble } from "#api/assemble.ts";
import { systemClock } from "#api/clock.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { aCollection, aNewPackage, aNote, aPackage } from "#tests/flashcards/anki/made-anki.ts";
import { aZip } from "#tests/library/made-notes.ts";

const MB = 1024 * 1024;
const CARDS = 500_000;
const FIT = 50_000;
const SLOW_MS = 120_000;
const MAX_GROWTH_BYTES = 400 * MB;
const FOUND_FAULTS = 3;

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
/** Sixty pictures of nine megabytes each; each picture alone is within the limit. */
const PICTURES = Array.from({ length: 60 }, (_, at) => `p${at}.png`);

/** Small enough that the compression ratio is not checked. Notes are read up to 200 MB in all. */
const NOTE_BYTES = 10_000_000;
const hostileNotes = () =>
  aZip(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, "[a](".repeat(NOTE_BYTES / 4)])));

interface Case {
  name: string;
  make: () => Uint8Array;
  isOfNotes?: true;
  /** The failure's code, or how many cards are imported and how many are reported as too many. */
  expected: string;
}

const cases: Case[] = [
  {
    name: "500,000 cards",
    make: () =>
      aPackage(
        aCollection({
          notes: Array.from({ length: CARDS }, (_, at) => aNote({ fields: [`Question ${at}`, `Answer ${at}`] })),
        }),
      ),
    expected: `${FIT} cards, too_many_cards ${CARDS - FIT}`,
  },
  {
    name: "540 MB of pictures in a package of a few",
    make: () =>
      aNewPackage(
        aCollection({ notes: PICTURES.map((name) => aNote({ fields: [`<img src="${name}">`, "?"] })) }),
        Object.fromEntries(PICTURES.map((name, at) => [name, Buffer.concat([PNG, Buffer.alloc(9 * MB, at)])])),
      ),
    expected: "too_large",
  },
  {
    name: "one card of 200 million letters",
    make: () => aPackage(aCollection({ notes: [aNote({ fields: ["x".repeat(200 * MB), "?"] })] })),
    expected: "too_large",
  },
  {
    name: "30 notes, each 10 MB of links that do not end",
    make: hostileNotes,
    isOfNotes: true,
    expected: "21 pages, too_many_notes 9, long_notes 21",
  },
];

const folder = await mkdtemp(join(tmpdir(), "lamplight-packages-"));
const settings = readSettings({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: folder });
const running = await assemble(settings, { clock: systemClock, log: createLog("silent") });
const server = createApp({ deps: running.deps });
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin, token: () => token }));

const namesOf = (losses: readonly { what: string; count: number }[]) =>
  losses.map(({ what, count }) => `${what} ${count}`).join(", ");

async function importNotes(client: V1Client, file: Blob): Promise<string> {
  for await (const event of client.library.importNotes.stream({}, [{ field: "file", name: "notes.zip", file }])) {
    if (event.type === "result") return `${event.result.pages} pages, ${namesOf(event.result.losses)}`;
    if (event.type === "error") return event.code;
  }
  return "no result";
}

async function outcomeOf({ isOfNotes }: Case, bytes: Uint8Array): Promise<string> {
  const email = `student-${performance.now()}@example.org`;
  const { token } = await clientFor().auth.register({ name: "Ada", email, password: "a lamp upon the desk" });
  const file = new Blob([Buffer.from(bytes)]);
  try {
    if (isOfNotes) return await importNotes(clientFor(token), file);
    const report = await clientFor(token).flashcards.importDecks({}, [{ field: "file", name: "a.apkg", file }]);
    return `${report.cards} cards, ${namesOf(report.losses)}`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

let faults = 0;
const [word = ""] = process.argv.slice(2);
for (const packageCase of cases.filter(({ name }) => name.includes(word))) {
  const { name, expected } = packageCase;
  const bytes = packageCase.make();
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const outcome = await outcomeOf(packageCase, bytes);
  delay.disable();
  const ms = performance.now() - startedAt;
  const growth = process.memoryUsage.rss() - before;
  const isGood = outcome === expected && ms < SLOW_MS && growth < MAX_GROWTH_BYTES;
  if (!isGood) faults += 1;
  const figures = [
    `${(bytes.length / MB).toFixed(1)} MB`,
    `${Math.round(ms)} ms`,
    `${Math.round(growth / MB)} MB more`,
    `event loop p99 ${Math.round(delay.percentile(99) / 1e6)} ms, at most ${Math.round(delay.max / 1e6)} ms`,
  ];
  process.stdout.write(`${isGood ? "ok" : "FAULT"}  ${name} (${figures.join(", ")}): ${outcome}\n`);
}
server.close();
server.closeAllConnections();
await running.close();
await rm(folder, { recursive: true, force: true });
process.exit(faults === 0 ? 0 : FOUND_FAULTS);
