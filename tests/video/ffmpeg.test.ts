import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { findFfmpeg } from "#api/documents/ffmpeg.ts";
import { parseVideoInfo, probeVideo, withVideoFrame } from "#api/documents/video-metadata.ts";
import { startApi } from "#tests/kit/api.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { startSpeechServer } from "#tests/kit/servers/speech-server.ts";

const ffmpeg = await findFfmpeg();
if (ffmpeg === undefined) process.stdout.write("skipped: films with a real ffmpeg (there is none on this machine)\n");
const withFfmpeg = test.skipIf(ffmpeg === undefined);

const folder = await mkdtemp(join(tmpdir(), "lamplight-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const list = (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${target}\n#EXT-X-ENDLIST\n`;

/** Three seconds of colours with a tone; as AVI it is a video that browsers cannot play. */
async function aFilm(name: string, ...options: string[]): Promise<Buffer> {
  const path = join(folder, name);
  const picture = ["-f", "lavfi", "-i", "testsrc=duration=3:size=320x240:rate=10"];
  const tone = ["-f", "lavfi", "-i", "sine=duration=3"];
  await promisify(execFile)(ffmpeg ?? "", [
    "-v",
    "error",
    "-y",
    ...picture,
    ...tone,
    "-c:v",
    "mpeg4",
    ...options,
    path,
  ]);
  return readFile(path);
}

const aFile = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const sizeOf = async (frame: string) => {
  const { width, height } = await sharp(frame).metadata();
  return [width, height];
};

test("duration and frame size come from ffmpeg's own output, not from a video's metadata", () => {
  const output = `Input #0, avi, from 'file:/a.avi':
  Metadata:
    title           : Duration: 09:09:09.09, start
                    :   Duration: 08:08:08.08, Stream #0:7: Video: none
  Duration: 01:02:03.50, start: 0.000000, bitrate: 12 kb/s
  Stream #0:0[0x1](und): Audio: mp3
`;
  expect(parseVideoInfo(output)).toEqual({ durationMs: 3_723_500, hasPicture: false });
  expect(parseVideoInfo("  Duration: N/A, start: 0\n  Stream #0:0: Video: vp8")).toEqual({
    durationMs: undefined,
    hasPicture: true,
  });
  expect(parseVideoInfo("")).toEqual({ durationMs: undefined, hasPicture: false });
});

withFfmpeg("a film that no browser plays has its length and its picture, and its sound alone is heard", async () => {
  const speech = await startSpeechServer();
  onTestFinished(() => speech.close());
  const api = await startApi({ env: { STT_BASE_URL: speech.baseUrl, STT_MODEL: "whisper-tiny" } });
  const ada = await api.newUser();
  const files = [{ field: "file", file: new Blob([new Uint8Array(await aFilm("lecture.avi"))]), name: "lecture.avi" }];
  const { component } = await ada.client.uploads.uploadVideoComponent({}, files);
  const componentId = component._id;
  const thumbnail = `/v1/component/video_get_thumbnail?componentId=${componentId}`;
  expect(component.content).toMatchObject({ durationMs: expect.closeTo(3_000, -3), thumbnail });
  const [one, two] = await Promise.all([
    ada.client.uploads.getVideoThumbnail({ componentId }),
    ada.client.uploads.getVideoThumbnail({ componentId }),
  ]);
  const { format, width, height } = await sharp(Buffer.from(await one.arrayBuffer())).metadata();
  expect([format, width, height]).toEqual(["webp", 320, 240]);
  expect(two.size).toBe(one.size);
  await ada.client.video.startTranscription({ id: componentId });
  for await (const event of ada.client.video.followTranscription({ id: componentId }))
    if (event.type === "result") expect(event.segmentCount).toBe(2);
  const [, size] = /^piece0000\.mp3 (\d+)$/.exec(speech.requests[0]?.["file"] ?? "") ?? [];
  expect(Number(size)).toBeGreaterThan(5_000);
});

withFfmpeg("a frame is upright, as wide as it is shown, and no wider than a list shows it", async () => {
  const turned = ["-metadata:s:v:0", "rotate=90"];
  const wide = await aFile("wide.mp4", await aFilm("made-wide.mp4", "-vf", "scale=720:576,setsar=16/11", ...turned));
  expect(await withVideoFrame(wide, sizeOf)).toEqual([640, 352]);
});

withFfmpeg("where a frame found no room on the disk the next film is drawn all the same", async () => {
  const film = await aFile("next.mp4", await aFilm("made-next.mp4"));
  vi.stubEnv("TMPDIR", join(folder, "not-there"));
  await expect(withVideoFrame(film, sizeOf)).rejects.toMatchObject({ code: "ENOENT" });
  vi.unstubAllEnvs();
  expect(await withVideoFrame(film, sizeOf)).toEqual([320, 240]);
});

withFfmpeg(
  "what is broken off, is no film, or names other files and addresses gives nothing and calls nobody",
  async () => {
    const asked: string[] = [];
    const outside = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((done) => outside.listen(0, "127.0.0.1", done));
    onTestFinished(() => void outside.close());
    const film = await aFilm("whole.mp4");
    const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/part.ts`;
    const bad = await Promise.all([
      aFile("half.mp4", film.subarray(0, film.length / 2)),
      aFile("words.mp4", "only words"),
      aFile("empty.mp4", ""),
      aFile("list.mp4", list(address)),
      aFile("local.mp4", list(`file://${join(folder, "whole.mp4")}`)),
      aFile("joined.mp4", `ffconcat version 1.0\nfile whole.mp4\n`),
      aFile("sdp.mp4", `v=0\nc=IN IP4 127.0.0.1\nm=video ${new URL(address).port} RTP/AVP 96\n`),
    ]);
    for (const path of bad) {
      expect([basename(path), await probeVideo(path)]).toEqual([
        basename(path),
        { durationMs: undefined, hasPicture: false },
      ]);
      expect(await withVideoFrame(path, sizeOf)).toBeUndefined();
    }
    expect(asked).toEqual([]);
  },
);

/** Files of which a real ffmpeg makes a frame. It makes none of the others, and no file makes it hang or crash. */
const pictured = new Set(
  `fixture-null.webm fixture.avi fixture.m4v fixture.mov h264_white_frame_sar_16_9.mp4 hevc_white_frame.mp4 metadata.mp4
  minimal.mp4 sample_10s_video-mp4.mp4 tiny_webm.webm`.split(/\s+/),
);

withFfmpeg(
  "every video of the corpus is looked at, and those that have a picture give it",
  { timeout: 60_000 },
  async () => {
    for (const path of corpusFiles("video")) {
      const frame = await withVideoFrame(path, sizeOf);
      expect([basename(path), frame !== undefined]).toEqual([basename(path), pictured.has(basename(path))]);
    }
    for (const path of corpusFiles("video").filter((file) => file.endsWith("sample_10s_video-mp4.mp4")))
      expect((await probeVideo(path)).durationMs).toBe(9_990);
  },
);
