import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { startYoutubeServer, type MadeVideo } from "#tests/kit/servers/youtube-server.ts";

const ID = "abcdefghij1";
const url = `https://www.youtube.com/watch?v=${ID}`;

async function aVisitor(video: MadeVideo = {}) {
  const youtube = await startYoutubeServer({ [ID]: video });
  onTestFinished(() => youtube.close());
  const api = await startApi({ env: { YOUTUBE_BASE_URL: youtube.baseUrl } });
  return { visitor: api.clientFor(), youtube };
}

test("a visitor can read a video's transcript without an account", async () => {
  const { visitor } = await aVisitor({ title: "How plants eat light" });
  const { title, segments } = await visitor.video.readPublicTranscript({ url });
  expect(title).toBe("How plants eat light");
  expect(segments[0]).toEqual({ startMs: 0, text: "Photosynthesis is the process by which plants" });
});

test("a video without captions returns no_transcript, and an address that is not a YouTube video bad_input", async () => {
  const { visitor, youtube } = await aVisitor({ hasNoCaptionsKey: true });
  await expect(visitor.video.readPublicTranscript({ url })).rejects.toMatchObject({ code: "no_transcript" });
  const before = youtube.requests.length;
  for (const wrong of ["https://example.org/video.mp4", "not an address"])
    await expect(visitor.video.readPublicTranscript({ url: wrong })).rejects.toMatchObject({ code: "bad_input" });
  expect(youtube.requests.length).toBe(before);
});

test("the sixth video of a day from one address is refused", async () => {
  const { visitor } = await aVisitor();
  for (let count = 0; count < 5; count += 1) await visitor.video.readPublicTranscript({ url });
  await expect(visitor.video.readPublicTranscript({ url })).rejects.toMatchObject({ code: "too_many_requests" });
});
