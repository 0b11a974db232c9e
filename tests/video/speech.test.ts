import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { SpeechEvent } from "#shared/video/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { startSpeechServer, type SpeechTurn } from "#tests/kit/servers/speech-server.ts";
import { aVideoFile } from "./made-video.ts";

const bytes = new Uint8Array(1000);

async function aLecture(turns: SpeechTurn[] = [], name = "talk.mp4") {
  const server = await startSpeechServer(...turns);
  onTestFinished(() => server.close());
  const api = await startApi({
    env: { STT_BASE_URL: server.baseUrl, STT_API_KEY: "secret", STT_MODEL: "whisper-tiny" },
  });
  const [ann, bob] = [await api.newUser(), await api.newUser()];
  const { componentId: id } = await aVideoFile(api, ann, bytes, name);
  return { server, api, ann, bob, id };
}

async function follow({ client }: TestUser, id: string): Promise<SpeechEvent[]> {
  const events: SpeechEvent[] = [];
  for await (const event of client.video.followTranscription({ id })) events.push(event);
  return events;
}

// Without ffmpeg, videos of random bytes are sent unchanged; a real ffmpeg would find no audio in them.
beforeEach(() => {
  const before = process.env["PATH"];
  process.env["PATH"] = "";
  onTestFinished(() => void (process.env["PATH"] = before));
});

/** Replaces the system's ffmpeg by a program that writes two audio files. */
async function withFfmpeg(script: string): Promise<void> {
  const folder = ownFolder();
  await writeFile(join(folder, "ffmpeg"), script);
  await chmod(join(folder, "ffmpeg"), 0o755);
  process.env["PATH"] = folder;
}

test("a speech server's transcript with times is read like any other", async () => {
  const { ann, id, server } = await aLecture();
  expect((await ann.client.video.getVideo({ id })).speech).toEqual({
    hasFile: true,
    isConfigured: true,
    problem: null,
  });
  await ann.client.video.startTranscription({ id });
  const events = await follow(ann, id);
  expect(events.at(-1)).toMatchObject({ type: "result", segmentCount: 2, language: "en" });
  expect(server.requests).toMatchObject([
    {
      model: "whisper-tiny",
      response_format: "verbose_json",
      key: "Bearer secret",
      file: expect.stringMatching(/\.mp4 1000$/),
    },
  ]);
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript).toMatchObject({ source: "speech", isGenerated: true, name: "whisper-tiny" });
  expect(transcript.segments[1]).toEqual({ startMs: 4500, endMs: 8500, text: "Chlorophyll absorbs the light." });
});

test.each([
  ["bad_key", /refused this server.s key/],
  ["too_large", /too large/],
  ["busy", /is busy/],
  ["broken", /failed/],
  ["not_json", /without times/],
  ["no_times", /without times/],
  ["silence", /No speech was found/],
] as const)("a server that answers %s shows an error, and a retry can succeed", async (turn, message) => {
  const { ann, id } = await aLecture([turn]);
  await ann.client.video.startTranscription({ id });
  expect((await follow(ann, id)).at(-1)).toMatchObject({ type: "error", message: expect.stringMatching(message) });
  await expect(ann.client.video.getTranscript({ id })).rejects.toMatchObject({ code: "no_transcript" });
  await ann.client.video.startTranscription({ id });
  expect((await follow(ann, id)).at(-1)).toMatchObject({ type: "result" });
});

test("pressing twice starts one job, and cancelling leaves no trace", async () => {
  const { ann, id, server } = await aLecture(["hold"]);
  const first = await ann.client.video.startTranscription({ id });
  expect(await ann.client.video.startTranscription({ id })).toEqual(first);
  for await (const event of ann.client.video.followTranscription({ id }))
    if (event.type === "progress" && event.stage === "sending") break;
  await ann.client.video.cancelTranscription({ id });
  server.release();
  expect((await follow(ann, id)).at(-1)).toMatchObject({ type: "error", code: "cancelled" });
  await expect(ann.client.video.getTranscript({ id })).rejects.toMatchObject({ code: "no_transcript" });
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

test("another account's video can't be transcribed", async () => {
  const { ann, bob, id } = await aLecture();
  await ann.client.video.startTranscription({ id });
  await expect(bob.client.video.startTranscription({ id })).rejects.toMatchObject({ code: "not_found" });
  await expect(bob.client.video.cancelTranscription({ id })).rejects.toMatchObject({ code: "not_found" });
  await expect(follow(bob, id)).rejects.toMatchObject({ code: "not_found" });
});

test("without a speech server, and for unsupported types, the reason is shown instead of the button", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const { componentId: id } = await aVideoFile(api, ann, bytes);
  const { speech } = await ann.client.video.getVideo({ id });
  expect(speech).toMatchObject({ isConfigured: false, problem: expect.stringContaining("Upload captions instead") });
  await expect(ann.client.video.startTranscription({ id })).rejects.toMatchObject({ code: "model_unavailable" });
  const lecture = await aLecture([], "talk.avi");
  const video = await lecture.ann.client.video.getVideo({ id: lecture.id });
  expect(video.speech.problem).toContain("Videos of this type");
});

test("with ffmpeg only the audio is sent, in pieces with continuous times", async () => {
  const writes = `for (const n of ["0000", "0001"]) fs.writeFileSync(out.replace("%04d", n), "sound " + n);`;
  // ffmpeg gets none of the server's environment, and may open only the given file.
  const may = "-protocol_whitelist file -format_whitelist mov,matroska,webm,avi,ogg -i file:";
  const check = `if (process.env.PATH !== undefined || !process.argv.join(" ").includes("${may}")) process.exit(1);`;
  await withFfmpeg(
    `#!${process.execPath}\nconst fs = require("node:fs");\n${check}\nconst out = process.argv.at(-1);\n${writes}\n`,
  );
  const { ann, id, server } = await aLecture([], "talk.avi");
  await ann.client.video.startTranscription({ id, language: "en" });
  expect((await follow(ann, id)).at(-1)).toMatchObject({ type: "result", segmentCount: 4 });
  expect(server.requests.map(({ file, language }) => [file, language])).toEqual([
    ["piece0000.mp3 10", "en"],
    ["piece0001.mp3 10", "en"],
  ]);
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript.segments.map(({ startMs }) => startMs)).toEqual([0, 4500, 1_200_000, 1_204_500]);
});

test("a video without sound for ffmpeg is reported", async () => {
  await withFfmpeg(`#!${process.execPath}\nprocess.exit(1);\n`);
  const { ann, id } = await aLecture();
  await ann.client.video.startTranscription({ id });
  expect((await follow(ann, id)).at(-1)).toMatchObject({
    type: "error",
    message: expect.stringContaining("no readable sound"),
  });
});
