import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { openBrowser } from "../tests/kit/browser/browser.ts";
import { startServerProcess } from "../tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const sampleVideo = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "video", "sample_10s_video-mp4.mp4");
const MB = 1024 * 1024;
/** Padding between the frames and their index, so that no seek is served from already loaded data. */
const PADDING_BYTES = 200 * MB;
const SECONDS = [7.3, 1.2, 9.1, 4.4, 2.8, 6.1, 8.2, 3.5];
const ROUNDS = 5;

export const bench: Bench = {
  name: "video",
  async run() {
    if (!existsSync(sampleVideo)) return [];
    const bytes = addPadding(readFileSync(sampleVideo));
    const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
    const path = join(server.dataDir, "film.mp4");
    writeFileSync(path, bytes);
    const bare = await startBare(path);
    const browser = await openBrowser();
    try {
      const client = await aClient(server.origin);
      const files = [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name: "lecture.mp4" }];
      const { component } = await client.uploads.uploadVideoComponent({}, files);
      const { url } = await client.video.signStream({ id: component._id });
      const page = await browser.newPage();
      return [
        await measureSeeks(page, { origin: server.origin, path: url }, { origin: getOrigin(bare), path: "/film.mp4" }),
      ];
    } finally {
      await browser.close();
      bare.close();
      await server.dispose();
    }
  },
};

/** Makes the file longer: inserts an empty box before the index, which comes last. */
function addPadding(bytes: Buffer): Buffer {
  const indexOffset = bytes.lastIndexOf("moov") - 4;
  const box = Buffer.alloc(PADDING_BYTES);
  box.writeUInt32BE(PADDING_BYTES, 0);
  box.write("free", 4, "latin1");
  return Buffer.concat([bytes.subarray(0, indexOffset), box, bytes.subarray(indexOffset)]);
}

async function aClient(origin: string) {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

const getOrigin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The baseline: a static file server with range support. */
async function startBare(path: string): Promise<Server> {
  const { size } = statSync(path);
  const server = createServer((request, response) => {
    if (request.url === "/health") return response.setHeader("content-type", "application/json").end("{}");
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
    const end = to === "" ? size - 1 : Number(to);
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "content-length": end - Number(from) + 1,
      "content-range": `bytes ${from}-${end}/${size}`,
    });
    return createReadStream(path, { start: Number(from), end }).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

interface MediaLocation {
  origin: string;
  path: string;
}

/** Runs in the browser: milliseconds from setting the source to the frame at that second, without any cache. */
function seekFresh(path: string, seconds: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const video = document.createElement("video");
    const startedAt = performance.now();
    video.muted = true;
    video.preload = "metadata";
    video.addEventListener("loadedmetadata", () => void (video.currentTime = seconds), { once: true });
    video.addEventListener("error", () => reject(new Error("The film does not play")), { once: true });
    video.addEventListener(
      "seeked",
      () => {
        const durationMs = performance.now() - startedAt;
        video.removeAttribute("src");
        video.load();
        video.remove();
        resolve(durationMs);
      },
      { once: true },
    );
    video.src = path;
    document.body.append(video);
  });
}

async function timeSeek(page: Page, { origin, path }: MediaLocation, seconds: number): Promise<number> {
  // A fresh page for each video, so that nothing is in memory.
  await page.goto(`${origin}/health`);
  return page.evaluate(seekFresh, path, seconds);
}

async function measureSeeks(page: Page, ours: MediaLocation, bare: MediaLocation): Promise<Row> {
  await page.setCacheEnabled(false);
  const [ourTimes, baselineTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const seconds of SECONDS) {
      const value = await timeSeek(page, ours, seconds);
      const reference = await timeSeek(page, bare, seconds);
      // The first round warms up both servers.
      if (round === 0) continue;
      ourTimes.push(value);
      baselineTimes.push(reference);
    }
  const [value, reference] = [median(ourTimes), median(baselineTimes)];
  const what = "opening a 200 MB film and seeking to a second's picture, against a static file server";
  return { what, value, unit: "ms", reference, ratio: value / reference, goal: "ratio <= 1.2" };
}
