// Sends the whole corpus through the API: `CORPUS_DIR=… node tests/long/corpus-sweep.ts`.
// Every answer must come within a minute and be 2xx or a refusal of the specification. Good files must be accepted, no file
// may do anything forbidden, and the process must survive without growing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createApp } from "#api/app.ts";
import { assemble } from "#api/assemble.ts";
import { systemClock } from "#api/clock.ts";
import { createLog } from "#api/log.ts";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readSettings } from "#api/settings.ts";
import { isFull } from "#tests/kit/all-cases.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const FOLDERS = ["pdf", "office", "image", "subtitles", "video", "text"];
const MB = 1024 * 1024;
/** Far longer than any file takes, even on a busy machine, so a call that takes longer hangs. */
const HANG_MS = 60_000;
const MAX_GROWTH_BYTES = 60 * MB;
const FOUND_FAULTS = 3;
/** Good files of types that the specification does not list: they are refused with advice. */
const REFUSED_THOUGH_GOOD = /\.(?:heif|heic|avif|mp3|ogg|wav)$/u;
const REFUSALS = new Set([
  "invalid_pdf",
  "invalid_file",
  "unsupported_file_type",
  "bad_input",
  "too_large",
  "timed_out",
]);
const FORBIDDEN_FILES = ["/tmp/zipslip_canary.txt"];
/** Text that would appear if a file could include files of the server. */
const FORBIDDEN_TEXT = /root:x:0:0|lol{200}|BEGIN (?:RSA|OPENSSH) PRIVATE/u;

interface Entry {
  folder: string;
  name: string;
  path: string;
  kind: string;
}

interface Answer {
  status: number;
  ms: number;
  body: Record<string, unknown>;
}

interface Verdict {
  entry: Entry;
  outcome: "accepted" | "refused" | "wrong";
  why: string;
  ms: number;
}

function listEntries(): Entry[] {
  const classes = new Map<string, string>();
  for (const line of readFileSync(join(corpus, "SOURCES.md"), "utf8").split("\n")) {
    const [, file, , kind] = line.split("|").map((cell) => cell.trim());
    if (file?.includes("/") && kind) classes.set(file, kind);
  }
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(corpus, folder)).map((name) => ({
      folder,
      name,
      path: join(corpus, folder, name),
      kind: classes.get(`${folder}/${name}`) ?? "unlisted",
    })),
  );
}

const SAMPLE_OF_CLASS = 4;

/** At most four files of each folder and class, spread evenly. */
function sampleOf(all: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of all) {
    const key = `${entry.folder} ${entry.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].flatMap((group) => {
    const step = Math.ceil(group.length / SAMPLE_OF_CLASS);
    return group.filter((_, at) => at % step === 0);
  });
}

class Sweep {
  readonly #origin: string;
  #token = "";
  #videoId = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  async begin(): Promise<void> {
    const account = { name: "Ada", email: "ada@example.org", password: "a lamp upon the desk" };
    const { body } = await this.#call("POST", "/v1/auth/register", JSON.stringify(account));
    this.#token = String(body["token"]);
    const video = join(corpus, "video/sample_10s_video-mp4.mp4");
    const uploaded = await this.#send("/v1/pages/upload/video_component", video, "lecture.mp4");
    this.#videoId = componentOf(uploaded);
  }

  async judge(entry: Entry): Promise<Verdict> {
    try {
      return await this.#judge(entry);
    } catch (error) {
      return { entry, outcome: "wrong", why: String(error), ms: 0 };
    }
  }

  async #judge(entry: Entry): Promise<Verdict> {
    const first = await this.#upload(entry);
    const answers = [first];
    const id = first.status === 200 ? componentOf(first) : "";
    if (id !== "" && ["pdf", "office", "image"].includes(entry.folder)) {
      answers.push(await this.#call("GET", `/v1/pdf/${id}/reading`), await this.#call("GET", `/v1/pdf/${id}/passages`));
      if (isPicturedText(entry)) answers.push(await this.#recognise(id));
    }
    const why = answers.map(faultOf).find((fault) => fault !== "") ?? contentFaultOf(entry, answers);
    const ms = Math.max(...answers.map((answer) => answer.ms));
    if (why !== "") return { entry, outcome: "wrong", why, ms };
    const refused = answers.find(({ status }) => status >= 400);
    return { entry, outcome: refused ? "refused" : "accepted", why: codeOf(refused), ms };
  }

  #upload({ folder, path, name }: Entry): Promise<Answer> {
    if (folder === "video") return this.#send("/v1/pages/upload/video_component", path, name);
    if (folder === "subtitles") return this.#send(`/v1/video/${this.#videoId}/captions`, path, name);
    if (folder !== "text") return this.#send("/v1/pages/upload/image_component", path, name);
    return this.#send("/v1/flashcards/content/ai_generation", path, name, "files");
  }

  /** Runs OCR, waits until it ends, and returns the passages. Polling is not counted as a request. */
  async #recognise(id: string): Promise<Answer> {
    const started = await this.#call("POST", `/v1/pdf/${id}/recognition`, "{}");
    for (let turn = 0; turn < 1_200 && started.status === 200; turn++) {
      const { body } = await this.#call("GET", `/v1/pdf/${id}/reading`);
      if (body["state"] !== "waiting" && body["state"] !== "running" && body["state"] !== "reading") break;
      await pause(250);
    }
    return started.status === 200 ? this.#call("GET", `/v1/pdf/${id}/passages`) : started;
  }

  #send(path: string, file: string, name: string, field = "file"): Promise<Answer> {
    const form = new FormData();
    form.append(field, new Blob([new Uint8Array(readFileSync(file))]), name);
    return this.#call("POST", path, form);
  }

  async #call(method: string, path: string, body?: FormData | string): Promise<Answer> {
    const startedAt = performance.now();
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (typeof body === "string") headers["content-type"] = "application/json";
    const response = await fetch(this.#origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const ms = performance.now() - startedAt;
    return { status: response.status, ms, body: (text === "" ? {} : JSON.parse(text)) as Answer["body"] };
  }
}

const componentOf = ({ body }: Answer): string => (body["component"] as { _id?: string } | undefined)?._id ?? "";

const codeOf = (answer: Answer | undefined): string => (answer?.body["code"] as string | undefined) ?? "";

const isPicturedText = ({ name }: Entry): boolean => /^(?:text_|scan_)/u.test(name);

function faultOf(answer: Answer): string {
  const { status, ms } = answer;
  const code = codeOf(answer);
  if (ms > HANG_MS) return `took ${Math.round(ms)} ms`;
  if (status >= 500) return `answered ${status}`;
  if (status >= 400 && !REFUSALS.has(code)) return `answered ${status} ${code}`;
  return "";
}

function contentFaultOf(entry: Entry, answers: readonly Answer[]): string {
  const texts = answers.flatMap(({ body }) => (body["passages"] as { text: string }[] | undefined) ?? []);
  const text = texts.map((passage) => passage.text).join("\n");
  if (FORBIDDEN_TEXT.test(text)) return "contains text of the server's files";
  if (FORBIDDEN_FILES.some((file) => existsSync(file))) return "wrote a file";
  const isGood = entry.kind === "good" || entry.kind === "good-scan";
  if (!isGood || REFUSED_THOUGH_GOOD.test(entry.name)) return "";
  if (answers.some(({ status }) => status >= 400)) return `good, but refused: ${JSON.stringify(answers.at(-1)?.body)}`;
  const mustHaveText = entry.folder === "pdf" || entry.folder === "office" || isPicturedText(entry);
  return mustHaveText && !/[\p{L}\p{N}]{2}/u.test(text) ? "good, but without text" : "";
}

/** Heap size after a garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

function printTable(verdicts: readonly Verdict[]): void {
  const rows = new Map<string, { accepted: number; refused: number; wrong: number; ms: number }>();
  for (const { entry, outcome, ms } of verdicts) {
    const key = `${entry.folder} ${entry.kind}`;
    const row = rows.get(key) ?? { accepted: 0, refused: 0, wrong: 0, ms: 0 };
    row[outcome]++;
    row.ms = Math.max(row.ms, ms);
    rows.set(key, row);
  }
  const lines = [...rows].map(
    ([key, row]) =>
      `${key.padEnd(26)}${String(row.accepted).padStart(9)}${String(row.refused).padStart(9)}${String(row.wrong).padStart(7)}${String(Math.round(row.ms)).padStart(12)}`,
  );
  const head = `${"folder class".padEnd(26)} accepted  refused  wrong  slowest ms`;
  process.stdout.write(`${head}\n${lines.join("\n")}\n`);
}

async function main(): Promise<number> {
  if (!existsSync(join(corpus, "SOURCES.md"))) {
    process.stdout.write(`skipped: no corpus at ${corpus} (CORPUS_DIR names it)\n`);
    return 0;
  }
  const dataDir = await mkdtemp(join(tmpdir(), "lamplight-sweep-"));
  const settings = readSettings({ NODE_ENV: "test", LOG_LEVEL: "error", DATA_DIR: dataDir, RATE_LIMIT_FACTOR: "1000" });
  const running = await assemble(settings, { clock: systemClock, log: createLog(settings.LOG_LEVEL) });
  const server = createApp({ deps: running.deps });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sweep = new Sweep(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await sweep.begin();
  const all = isFull ? listEntries() : sampleOf(listEntries());
  // One file of each kind first, so that what readers cache permanently does not count as growth.
  for (const folder of FOLDERS) {
    const first = all.find((entry) => entry.folder === folder && entry.kind.startsWith("good"));
    if (first) await sweep.judge(first);
  }
  const before = usedBytes();
  const verdicts: Verdict[] = [];
  for (const entry of all) verdicts.push(await sweep.judge(entry));
  printTable(verdicts);
  const growth = usedBytes() - before;
  process.stdout.write(`memory held after the sweep: ${(growth / MB).toFixed(1)} MB more than before it\n`);
  const wrong = verdicts.filter(({ outcome }) => outcome === "wrong");
  for (const { entry, why } of wrong) process.stdout.write(`WRONG ${entry.folder}/${entry.name}: ${why}\n`);
  for (const { entry, outcome, why } of verdicts)
    if (outcome === "refused" && entry.kind.startsWith("good"))
      process.stdout.write(`refused though good or nearly so ${entry.folder}/${entry.name}: ${why}\n`);
  server.closeAllConnections();
  server.close();
  await running.close();
  closeParsers();
  await rm(dataDir, { recursive: true, force: true });
  return wrong.length > 0 || growth > MAX_GROWTH_BYTES ? FOUND_FAULTS : 0;
}

process.exit(await main());
