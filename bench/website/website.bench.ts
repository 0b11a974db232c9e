import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "puppeteer";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { Failure } from "#shared/contract/failure.ts";
import { v1 } from "#shared/contract/v1.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { buildSiteKitOnce } from "#tests/website/aids.ts";
import { type Bench, median, type Row } from "../row.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
/** Pause between opening a new project and making its site; a student takes longer to choose. */
const CHOOSING_MS = 3000;
const FILES = 20;
const CHANGES = 40;
const IDLE_PROJECTS = 50;
const SOURCE_LIMIT_MS = 60_000;
const RATE_PAUSE_MS = 2000;
const KB = 1024;

type Client = Awaited<ReturnType<typeof aClient>>;

interface World {
  client: Client;
  browser: Browser;
  pid: number;
  sourceIds: readonly string[];
}

/** Websites from textbook chapters, without a model: until the first paint, after each change, and for idle projects. */
export const bench: Bench = {
  name: "Websites",
  async run(): Promise<Row[]> {
    const folder = join(corpus, "textbook");
    if (!existsSync(folder)) return [];
    await buildSiteKitOnce();
    const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
    const browser = await openBrowser();
    try {
      const client = await aClient(server.origin);
      const sourceIds = await uploadChapters(client, folder);
      const world: World = { client, browser, pid: server.pid ?? 0, sourceIds };
      return [
        ...(await measureFirst(world)),
        ...(await measureChanges(world)),
        await measureIdle(world),
        measureBuilder(world),
      ];
    } finally {
      await browser.close();
      await server.dispose();
    }
  },
};

async function aClient(origin: string) {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

/** Uploads every chapter and waits until each can be the source of a site. */
async function uploadChapters(client: Client, folder: string): Promise<string[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  for (const name of names) {
    const file = new Blob([readFileSync(join(folder, name))]);
    await client.uploads.uploadImageComponent({}, [{ field: "file", file, name }]);
  }
  const endsAt = performance.now() + SOURCE_LIMIT_MS;
  for (;;) {
    const { sources } = await client.website.listSiteSources({});
    if (sources.length === names.length) return sources.map(({ id }) => id);
    if (performance.now() > endsAt) throw new Error(`Only ${sources.length} of ${names.length} chapters were read`);
    await pause(100);
  }
}

/** Creates a project and opens it as the screen does. */
async function openProject({ client }: World): Promise<string> {
  const { _id: id } = await client.website.createProject({ name: "" });
  await client.website.getProject({ id });
  await pause(CHOOSING_MS);
  return id;
}

/** Makes a site; resolves to the time at which the call that succeeded began. */
async function makeSite({ client }: World, id: string, sourceId: string): Promise<number> {
  for (;;)
    try {
      const startedAt = performance.now();
      await client.website.makeSite({ id, kind: "study_guide", title: "Chapter", sourceIds: [sourceId] });
      return startedAt;
    } catch (error) {
      // The number of sites that an account makes a minute is limited.
      if (!(error instanceof Failure) || error.code !== "too_many_requests") throw error;
      await pause(RATE_PAUSE_MS);
    }
}

/** Opens a preview and waits for its heading; resolves to the errors of the site. */
async function paint({ browser }: World, devUrl: string | null): Promise<string[]> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // The browser does not know `webrtc` yet, which is not the site's fault.
    if (message.type() === "error" && !message.text().includes("'webrtc'")) errors.push(message.text());
  });
  try {
    await page.goto(devUrl ?? "");
    const frame = await page.waitForFrame((candidate) => candidate.url().endsWith("/?frame"));
    await frame.waitForSelector("h2");
  } catch (error) {
    errors.push(String(error));
  }
  await page.close();
  return errors;
}

async function measureFirst(world: World): Promise<Row[]> {
  const times: number[] = [];
  let clean = 0;
  for (const sourceId of world.sourceIds) {
    const id = await openProject(world);
    const startedAt = await makeSite(world, id, sourceId);
    const { devServer } = await world.client.website.startPreview({ id });
    const errors = [...devServer.faults, ...(await paint(world, devServer.dev_url))];
    times.push(performance.now() - startedAt);
    if (errors.length === 0) clean += 1;
    await world.client.website.deleteProject({ id });
  }
  const what = "an empty project to the first paint of a study guide";
  return [
    { what: `${what}, median of the chapters`, value: median(times), unit: "ms", goal: "<= 2000" },
    { what: `${what}, the slowest`, value: Math.max(...times), unit: "ms", goal: "" },
    {
      what: "sites that build and paint without an error at their first check",
      value: (clean / times.length) * 100,
      unit: "%",
      goal: "100",
    },
  ];
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

/** Times a student's edits in a site of twenty files, each stored, built and served; then times restoring. */
async function measureChanges(world: World): Promise<Row[]> {
  const { website } = world.client;
  const id = await openProject(world);
  await makeSite(world, id, world.sourceIds[0] ?? "");
  await website.startPreview({ id });
  const { files } = await website.getProject({ id });
  for (let at = files.length; at < FILES; at += 1)
    await website.putSiteFile({ id, path: `/src/part${at}.ts`, text: `export const part${at} = ${at};\n` });
  const { text } = await website.getSiteFile({ id, path: "/src/main.tsx" });
  const imports = Array.from({ length: FILES - files.length }, (_, at) => `import "./part${at + files.length}";\n`);
  const times: number[] = [];
  for (let at = 0; at < CHANGES; at += 1) {
    const changed = `${imports.join("")}${text}console.log("change ${at}");\n`;
    const startedAt = performance.now();
    const { devServer } = await website.putSiteFile({ id, path: "/src/main.tsx", text: changed });
    times.push(performance.now() - startedAt);
    if (devServer.faults.length > 0) throw new Error(devServer.faults[0]?.message);
  }
  const restores: number[] = [];
  const { checkpoints } = await website.getProject({ id });
  for (const { _id: checkpointId } of checkpoints.slice(1, 11)) {
    const startedAt = performance.now();
    await website.restoreCheckpoint({ id, checkpointId });
    restores.push(performance.now() - startedAt);
  }
  await website.deleteProject({ id });
  return [
    {
      what: `a change in ${FILES} files is stored, built and served, median`,
      value: median(times),
      unit: "ms",
      goal: "",
    },
    { what: "the same, 95th percentile", value: percentile(times, 0.95), unit: "ms", goal: "<= 300" },
    { what: "restoring a checkpoint, slowest of ten", value: Math.max(...restores), unit: "ms", goal: "<= 500" },
  ];
}

async function measureIdle({ client, pid }: World): Promise<Row> {
  const before = readMemoryMb(pid);
  const ids: string[] = [];
  while (ids.length < IDLE_PROJECTS) ids.push((await client.website.createProject({ name: "Idle" }))._id);
  const value = readMemoryMb(pid) - before;
  for (const id of ids) await client.website.deleteProject({ id });
  return { what: `${IDLE_PROJECTS} idle projects, memory of the server`, value, unit: "MB", goal: "about 0" };
}

/** The peak memory of the process that built the sites. */
function measureBuilder({ pid }: World): Row {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const builders = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("build-child"));
  const value = Math.max(...builders.map((child) => readMemoryMb(child, "VmHWM")));
  return { what: "memory of the build process at most", value, unit: "MB", goal: "<= 256" };
}

/** A memory figure that Linux reports for a process, in MB. */
function readMemoryMb(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / KB;
}
