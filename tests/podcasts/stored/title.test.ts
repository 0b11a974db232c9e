import { expect, onTestFinished, test, vi } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aDocument, createPodcast, TEST_LIMIT_MS, waitUntilMade } from "../made-podcast.ts";
import { aTextbook } from "../textbook.ts";
import { startTtsServer } from "../tts-server.ts";

const HEADER_BYTES = 10;

/** The title in the ID3 tag of an MP3, and the audio behind the tag. */
function readMp3(file: Buffer) {
  const [a = 0, b = 0, c = 0, d = 0] = file.subarray(6, HEADER_BYTES);
  const tagBytes = ((a << 21) | (b << 14) | (c << 7) | d) + HEADER_BYTES;
  const title = file.indexOf("TIT2");
  const encoded = file.subarray(title + HEADER_BYTES + 3, title + HEADER_BYTES + file.readUInt32BE(title + 4));
  return { title: encoded.toString("utf16le"), audio: file.subarray(tagBytes) };
}

/** An API with a speech server, and a function that downloads the MP3 of an episode. */
async function aStudent() {
  const server = await startTtsServer();
  onTestFinished(() => server.close());
  const api = await startApi({
    env: { TTS_BASE_URL: server.baseUrl, TTS_API_KEY: "secret", TTS_MODEL: "kokoro" },
  });
  const ann: TestUser = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, aTextbook(1)) }];
  const download = async (id: string) => {
    const { url, sizeBytes } = await ann.client.podcasts.signAudio({ id });
    const answer = await fetch(api.origin + url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, answer.headers.get("content-length")]).toEqual([sizeBytes, String(sizeBytes)]);
    return { url: api.origin + url, bytes, name: answer.headers.get("content-disposition") ?? "", ...readMp3(bytes) };
  };
  return { api, ann, sources, download };
}

test(
  "the MP3 of a renamed episode has the new title, the same audio and right ranges",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { ann, sources, download } = await aStudent();
    const { _id: id } = await createPodcast(ann, { title: "Cells", sources });
    await waitUntilMade(ann, id);
    const before = await download(id);
    expect(before.title).toBe("Cells");
    const usedBytes = async () => (await ann.client.user.getStorage({})).usedBytes;
    const others = (await usedBytes()) - before.bytes.length;
    const title = "Zellen und ihre Hüllen: all about membranes, and what passes through them";
    await ann.client.podcasts.updatePodcast({ id, title });
    const renamed = await download(id);
    expect(renamed.title).toBe(title);
    expect(decodeURIComponent(renamed.name)).toContain("all about membranes");
    expect(renamed.audio.equals(before.audio)).toBe(true);
    // A player that has begun to read the file can continue.
    expect(renamed.bytes.length).toBe(before.bytes.length);
    const part = await fetch(before.url, { headers: { range: "bytes=20000-20999" } });
    expect(part.headers.get("content-range")).toBe(`bytes 20000-20999/${renamed.bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(renamed.bytes.subarray(20_000, 21_000))).toBe(true);
    await ann.client.podcasts.updatePodcast({ id, title: "Cells" });
    expect((await download(id)).bytes.equals(before.bytes)).toBe(true);
    expect((await usedBytes()) - before.bytes.length).toBe(others);
  },
);

test(
  "an episode that is renamed while its MP3 is stored gets the new title too",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { api, ann, sources, download } = await aStudent();
    const id = "01JPODCAST0000000000000008";
    const { blobs } = api.deps;
    const receive = blobs.receive.bind(blobs);
    vi.spyOn(blobs, "receive").mockImplementation((source, maxBytes) => {
      async function* bytes() {
        for await (const chunk of source) {
          const isTag = Buffer.from(chunk).toString("latin1", 0, 3) === "ID3";
          const isOldTitle = (await ann.client.podcasts.getPodcast({ id })).podcast.title === "Cells";
          if (isTag && isOldTitle) await ann.client.podcasts.updatePodcast({ id, title: "Inside cells" });
          yield chunk;
        }
      }
      return receive(bytes(), maxBytes);
    });
    await createPodcast(ann, { id, title: "Cells", sources });
    expect(await waitUntilMade(ann, id)).toMatchObject({ status: "completed", title: "Inside cells" });
    await expect.poll(async () => (await download(id)).title).toBe("Inside cells");
  },
);
