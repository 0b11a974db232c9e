import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import type { NoTranscriptReason } from "#shared/video/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { captionsSrv3, captionsXml, startYoutubeServer, type MadeVideo } from "#tests/kit/servers/youtube-server.ts";

const ID = "abcdefghij1";
const address = `https://www.youtube.com/watch?v=${ID}`;

async function startWorld(video: MadeVideo = {}) {
  const youtube = await startYoutubeServer({ [ID]: video });
  onTestFinished(() => youtube.close());
  const api = await startApi({ env: { YOUTUBE_BASE_URL: youtube.baseUrl } });
  return { api, youtube, ann: await api.newUser(), bob: await api.newUser() };
}

async function aVideo(video: MadeVideo = {}) {
  const world = await startWorld(video);
  const { component } = await world.ann.client.video.createVideoComponent({ url: address });
  return { ...world, id: component._id, component };
}

test("a YouTube address becomes a component with the video's title, duration and transcript", async () => {
  const { ann, id, component, youtube } = await aVideo({ title: "How plants eat light", lengthSeconds: 61 });
  expect(component).toMatchObject({
    type: "video",
    content: { title: "How plants eat light", videoType: "youtube", url: address, durationMs: 61_000 },
  });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript).toMatchObject({ language: "en", source: "youtube", name: "English", isGenerated: false });
  expect(transcript.segments[0]).toEqual({
    startMs: 0,
    endMs: 3000,
    text: "Photosynthesis is the process by which plants",
  });
  expect(youtube.requests).toEqual(["/youtubei/v1/player", "/api/timedtext"]);
});

test("an unreachable YouTube doesn't delay creating a component", async () => {
  const api = await startApi({ env: { YOUTUBE_BASE_URL: "http://127.0.0.1:9" } });
  const ann = await api.newUser();
  const { component } = await ann.client.video.createVideoComponent({ url: address });
  expect(component.content).toMatchObject({ title: `YouTube video ${ID}` });
  const transcript = ann.client.video.getTranscript({ id: component._id });
  await expect(transcript).rejects.toMatchObject({ code: "no_transcript", data: { reason: "unreachable" } });
});

test("a video whose creation was cancelled while its title was fetched is not stored", async () => {
  const [requestArrived, mayAnswer] = [createDeferred<undefined>(), createDeferred<undefined>()];
  const youtube = createServer((_request, response) => {
    requestArrived.resolve(undefined);
    void mayAnswer.promise.then(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => youtube.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void youtube.close());
  const { port } = youtube.address() as AddressInfo;
  const api = await startApi({ env: { YOUTUBE_BASE_URL: `http://127.0.0.1:${port}` } });
  const { client } = await api.newUser();
  const countVideos = async () => (await client.pages.getContent({})).content.components.length;
  const leaving = new AbortController();
  const creating = client.video.createVideoComponent({ url: address }, { signal: leaving.signal });
  await requestArrived.promise;
  leaving.abort();
  await expect(creating).rejects.toThrow(NoResponseError);
  // The server has noticed that the connection is closed before it answers the next request.
  expect(await countVideos()).toBe(0);
  mayAnswer.resolve(undefined);
  // A late write has 20 chances to show up.
  for (let round = 0; round < 20; round += 1) expect(await countVideos()).toBe(0);
});

const refusals: [string, MadeVideo, NoTranscriptReason][] = [
  ["an empty answer", { captionAnswer: "empty" }, "empty_answer"],
  ["a page instead of captions", { captionAnswer: "html" }, "empty_answer"],
  ["captions without a line", { captionAnswer: "silent" }, "empty_answer"],
  ["a page that asks for consent", { playerAnswer: "forbidden", pageAnswer: "consent_form" }, "consent"],
  ["a redirect to consent", { playerAnswer: "forbidden", pageAnswer: "consent_redirect" }, "consent"],
  ["no captions", { hasNoCaptionsKey: true }, "no_captions"],
  ["captions turned off", { tracks: [] }, "no_captions"],
  ["a private video", { status: { status: "LOGIN_REQUIRED", reason: "This is a private video." } }, "private"],
  [
    "an adult video",
    { status: { status: "LOGIN_REQUIRED", reason: "This video may be inappropriate for some users." } },
    "age_restricted",
  ],
  ["a removed video", { status: { status: "ERROR", reason: "This video is unavailable" } }, "unavailable"],
  [
    "a robot check",
    { status: { status: "LOGIN_REQUIRED", reason: "Sign in to confirm you\u2019re not a bot" } },
    "bot_check",
  ],
  ["a sign-in in another language", { status: { status: "LOGIN_REQUIRED", reason: "Anmelden" } }, "sign_in"],
  ["a captcha", { playerAnswer: "forbidden", pageAnswer: "captcha" }, "bot_check"],
  ["429 everywhere", { playerAnswer: "rate_limited", pageAnswer: "rate_limited" }, "too_many_requests"],
  ["429 for the captions", { captionAnswer: "rate_limited" }, "too_many_requests"],
  ["a broken caption server", { captionAnswer: "broken" }, "unreachable"],
  ["half an answer", { playerAnswer: "cut", pageAnswer: "gone" }, "unavailable"],
  ["a live broadcast", { isLive: true }, "live"],
];

test.each(refusals)("%s is reported as such, never as an empty transcript", async (_, video, reason) => {
  const { ann, id } = await aVideo(video);
  const transcript = ann.client.video.getTranscript({ id });
  await expect(transcript).rejects.toMatchObject({ code: "no_transcript", status: 404, data: { reason } });
  await expect(transcript).rejects.toThrow(/^[A-Z].{20,}\.$/);
});

test("falls back to the page if the player request is refused or empty", async () => {
  const bot = { status: "LOGIN_REQUIRED", reason: "Sign in to confirm you're not a bot" };
  for (const video of [
    { playerAnswer: "forbidden" },
    { playerAnswer: "broken_json" },
    { status: bot, pageStatus: { status: "OK" } },
  ] satisfies MadeVideo[]) {
    const { ann, id } = await aVideo(video);
    const { transcript } = await ann.client.video.getTranscript({ id });
    expect(transcript.segments).toHaveLength(3);
  }
});

test("milliseconds and seconds are distinguished by the caption format", async () => {
  const { ann, id } = await aVideo({
    tracks: [{ language: "en" }, { language: "de" }, { language: "fr" }, { language: "it" }],
    captions: {
      en: captionsSrv3([[12_500, 1_500, "one"]]),
      de: captionsXml([[12.5, 1.5, "two &amp;#39;quoted&amp;#39; &amp;amp; so on"]]),
      fr: JSON.stringify({ events: [{ tStartMs: 12_500, dDurationMs: 1_500, segs: [{ utf8: "three" }] }] }),
      it: "WEBVTT\nKind: captions\n\n00:00:12.500 --> 00:00:14.000\nfour\n",
    },
  });
  const segments = [];
  for (const language of ["en", "de", "fr", "it"])
    segments.push((await ann.client.video.getTranscript({ id, language })).transcript.segments[0]);
  expect(segments).toEqual([
    { startMs: 12_500, endMs: 14_000, text: "one" },
    { startMs: 12_500, endMs: 14_000, text: "two 'quoted' & so on" },
    { startMs: 12_500, endMs: 14_000, text: "three" },
    { startMs: 12_500, endMs: 14_000, text: "four" },
  ]);
});

test("keeps lines with attributes in another order or without a duration", async () => {
  const body =
    '<timedtext format="3"><body><p w="1" t="9000" d="1000">first</p><p t="12000">second</p><p t="13000" d="500" a="1">\n</p></body></timedtext>';
  const { ann, id } = await aVideo({ captions: { en: body } });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript.segments.map(({ startMs, text }) => [startMs, text])).toEqual([
    [9000, "first"],
    [12_000, "second"],
  ]);
});

test("human captions take precedence over generated ones, in the spoken language", async () => {
  const { ann, id } = await aVideo({
    tracks: [
      { language: "fr", name: "French" },
      { language: "en", name: "English (auto-generated)", isGenerated: true },
      { language: "en-GB", name: "English" },
    ],
  });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript).toMatchObject({ language: "en-GB", isGenerated: false });
  expect((await ann.client.video.getVideo({ id })).offered.map(({ language }) => language)).toEqual(["fr", "en"]);
});

test("a missing language is reported with the available ones", async () => {
  const { ann, id } = await aVideo({ tracks: [{ language: "en" }, { language: "fr" }] });
  await expect(ann.client.video.getTranscript({ id, language: "ja" })).rejects.toMatchObject({
    code: "no_transcript",
    data: { reason: "wrong_language", languages: ["en", "fr"] },
  });
});

test("a transcript is cached for 30 days, a refusal for minutes or hours", async () => {
  const { ann, id, youtube, api } = await aVideo();
  await ann.client.video.getTranscript({ id });
  const requestCount = youtube.requests.length;
  api.clock.advance(29 * 86_400_000);
  await ann.client.video.getTranscript({ id });
  expect(youtube.requests).toHaveLength(requestCount);
  api.clock.advance(2 * 86_400_000);
  youtube.videos.set(ID, { captionAnswer: "empty" });
  await expect(ann.client.video.getTranscript({ id })).rejects.toMatchObject({ data: { reason: "empty_answer" } });
  const refused = youtube.requests.length;
  expect(refused).toBeGreaterThan(requestCount);
  await expect(ann.client.video.getTranscript({ id })).rejects.toMatchObject({ code: "no_transcript" });
  expect(youtube.requests).toHaveLength(refused);
  youtube.videos.set(ID, {});
  api.clock.advance(6 * 60_000);
  expect((await ann.client.video.getTranscript({ id })).transcript.segments).toHaveLength(3);
});

test("a hundred concurrent refreshes make one request, and a refusal removes nothing", async () => {
  const { ann, id, youtube, api } = await aVideo();
  api.clock.advance(120_000);
  const before = youtube.requests.length;
  await Promise.all(Array.from({ length: 100 }, () => ann.client.video.refreshTranscript({ id })));
  expect(youtube.requests).toHaveLength(before + 2);
  api.clock.advance(120_000);
  youtube.videos.set(ID, { captionAnswer: "rate_limited" });
  await expect(ann.client.video.refreshTranscript({ id })).rejects.toMatchObject({
    data: { reason: "too_many_requests" },
  });
  expect((await ann.client.video.getTranscript({ id })).transcript.segments).toHaveLength(3);
});

test("ten hours of captions arrive complete and in order", async () => {
  const lines = Array.from({ length: 36_000 }, (_, i): [number, number, string] => [
    i * 1000,
    900,
    `line ${i} of a long talk`,
  ]);
  const { ann, id } = await aVideo({ captions: { en: captionsSrv3(lines) } });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript.segmentCount).toBe(36_000);
  expect(transcript.segments.at(-1)).toEqual({
    startMs: 35_999_000,
    endMs: 35_999_900,
    text: "line 35999 of a long talk",
  });
});

test("chapters in a description are returned", async () => {
  const description = "My talk\n0:00 Hello\n01:30 - Light reactions\n1:02:03 Questions\nhttps://example.org";
  const { ann, id } = await aVideo({ description });
  expect((await ann.client.video.getVideo({ id })).chapters).toEqual([
    { startMs: 0, title: "Hello" },
    { startMs: 90_000, title: "Light reactions" },
    { startMs: 3_723_000, title: "Questions" },
  ]);
});

test("creating the same component id twice makes one component", async () => {
  const { ann } = await startWorld();
  const componentId = "01JD00000000000000000VIDEO";
  const made = await ann.client.video.createVideoComponent({ url: address, componentId });
  const again = await ann.client.video.createVideoComponent({ url: address, componentId });
  expect(again).toEqual(made);
  const { components } = await ann.client.pages.listComponents({ id: made.component.pageId });
  expect(components).toHaveLength(1);
});
