import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { ownedBy } from "#api/store/owned-store.ts";
import { readTranscriptPassages } from "#api/video/service.ts";
import { parseCitation } from "#shared/citations.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { corpusFiles } from "#tests/kit/corpus.ts";

const LINK = "https://videos.example.org/lectures/cells%20one.mp4";

async function aVideo() {
  // These tests need no YouTube, so its address is a port where nothing answers.
  const api = await startApi({ env: { YOUTUBE_BASE_URL: "http://127.0.0.1:9" } });
  const [ann, bob] = [await api.newUser(), await api.newUser()];
  const { component } = await ann.client.video.createVideoComponent({ url: LINK });
  return { api, ann, bob, id: component._id, component };
}

const captions = (content: string | Uint8Array<ArrayBuffer>, name = "talk.vtt") => [
  { field: "file", file: new Blob([content]), name },
];

const vtt = `WEBVTT

00:00.000 --> 00:04.000
<v Ada>Photosynthesis turns light</v>

00:04.000 --> 00:07.000
into <i>sugar</i>. Leaves

00:07.000 --> 00:10.000
are green because of chlorophyll.
`;

async function withCaptions(user: TestUser, id: string, content: string = vtt) {
  return user.client.video.uploadCaptions({ id, language: "en" }, captions(content));
}

test("a video file on the web becomes a component on the named page", async () => {
  const { ann } = await aVideo();
  const pageId = await aPage(ann);
  const { component } = await ann.client.video.createVideoComponent({ url: LINK, pageId });
  expect(component).toMatchObject({
    pageId,
    content: { videoType: "url", url: LINK, title: "cells one.mp4" },
  });
  const { page } = await ann.client.pages.getPage({ id: pageId });
  expect(page.components).toEqual([component._id]);
});

test.each([
  ["https://youtu.be/abcdefghij1?t=90", "abcdefghij1"],
  ["https://www.youtube.com/shorts/abcdefghij1", "abcdefghij1"],
  ["https://m.youtube.com/watch?list=PL1&v=abcdefghij1", "abcdefghij1"],
  ["https://www.youtube.com/live/abcdefghij1?feature=share", "abcdefghij1"],
  ["https://www.youtube-nocookie.com/embed/abcdefghij1", "abcdefghij1"],
  ["youtube.com/watch?v=abcdefghij1", "abcdefghij1"],
])("%s resolves to the video itself", async (url, videoId) => {
  const { ann } = await aVideo();
  const { component } = await ann.client.video.createVideoComponent({ url });
  expect(component.content).toMatchObject({
    file: { id: `youtube-${videoId}` },
    url: `https://www.youtube.com/watch?v=${videoId}`,
  });
});

test.each([
  ["", "video_address_missing"],
  ["photosynthesis", "video_address_scheme"],
  ["javascript:alert(1)//.mp4", "video_address_scheme"],
  ["file:///etc/passwd.mp4", "video_address_scheme"],
  ["https://ada:secret@example.org/a.mp4", "video_address_password"],
  ["https://www.youtube.com/playlist?list=PL12345678901", "video_address_playlist"],
  ["https://www.youtube.com/@lectures", "video_address_channel"],
  ["https://www.youtube.com/watch?v=short", "video_address_no_video"],
  ["https://youtube.com.evil.example/watch?v=abcdefghij1", "video_address_unplayable"],
  ["https://example.org/notes.html", "video_address_unplayable"],
])("the address %j is refused with a message", async (url, reason) => {
  const { ann } = await aVideo();
  await expect(ann.client.video.createVideoComponent({ url })).rejects.toMatchObject({ code: "bad_input", reason });
});

test("chapters that a client extracted are returned with the video", async () => {
  const { ann, id } = await aVideo();
  const chapters = [
    { startMs: 0, title: "Sugar" },
    { startMs: 60_000, title: "Leaves" },
  ];
  await ann.client.video.putTranscript({
    id,
    language: "en",
    segments: [{ startMs: 0, endMs: 900, text: "Sugar." }],
    chapters,
  });
  expect((await ann.client.video.getVideo({ id })).chapters).toEqual(chapters);
});

test("a video without a transcript reports it, and a caption file beside it becomes one", async () => {
  const { ann, id } = await aVideo();
  await expect(ann.client.video.getTranscript({ id })).rejects.toMatchObject({ data: { reason: "none_yet" } });
  expect((await withCaptions(ann, id)).transcript).toMatchObject({
    source: "sidecar",
    language: "en",
    name: "talk.vtt",
  });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript.segments.map(({ text }) => text)).toEqual([
    "Photosynthesis turns light",
    "into sugar. Leaves",
    "are green because of chlorophyll.",
  ]);
});

test("captions of another account's video return 404 and stay unchanged", async () => {
  const { ann, bob, id } = await aVideo();
  await withCaptions(ann, id);
  const segments = [{ startMs: 0, endMs: 1, text: "mine now" }];
  const { video } = bob.client;
  const tries = [
    () => video.getVideo({ id }),
    () => video.getTranscript({ id }),
    () => video.searchTranscript({ id, q: "light" }),
    () => video.putTranscript({ id, language: "en", segments }),
    () => video.refreshTranscript({ id }),
    () => video.removeTranscript({ id, source: "sidecar", language: "en" }),
    () => withCaptions(bob, id),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
  expect((await ann.client.video.getTranscript({ id })).transcript.segments).toHaveLength(3);
});

test("an uploaded transcript takes precedence until it is removed", async () => {
  const { ann, id, api } = await aVideo();
  await withCaptions(ann, id);
  api.clock.advance(1000);
  const segments = [{ startMs: 1000, endMs: 2500, text: "  Read in   the tab " }];
  await ann.client.video.putTranscript({ id, language: "en", segments });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript).toMatchObject({
    source: "client",
    segments: [{ startMs: 1000, endMs: 2500, text: "Read in the tab" }],
  });
  expect((await ann.client.video.getTranscript({ id, source: "sidecar" })).transcript.segments).toHaveLength(3);
  await ann.client.video.removeTranscript({ id, source: "client", language: "en" });
  expect((await ann.client.video.getTranscript({ id })).transcript.source).toBe("sidecar");
  await expect(ann.client.video.removeTranscript({ id, source: "client", language: "en" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("uploading a transcript again replaces it", async () => {
  const { ann, id } = await aVideo();
  for (const text of ["first", "second"])
    await ann.client.video.putTranscript({ id, language: "de", segments: [{ startMs: 0, endMs: 1000, text }] });
  const { transcripts } = await ann.client.video.getVideo({ id });
  expect(transcripts).toHaveLength(1);
  expect((await ann.client.video.getTranscript({ id, language: "de" })).transcript.segments[0]?.text).toBe("second");
});

test("invalid times are corrected: negative, reversed, empty, unordered, in another unit", async () => {
  const { ann, id } = await aVideo();
  const segments = [
    { startMs: 5000, endMs: 4000, text: "backwards" },
    { startMs: -2000, endMs: 1000, text: "early" },
    { startMs: 2000, endMs: 2000, text: "no length" },
    { startMs: 9e12, endMs: 9e12 + 1, text: "microseconds" },
    { startMs: 3000, endMs: 3500, text: "   " },
    { startMs: 2500.4, endMs: 7000, text: "overlapping" },
  ];
  await ann.client.video.putTranscript({ id, language: "en", segments });
  const { transcript } = await ann.client.video.getTranscript({ id });
  expect(transcript.segments).toEqual([
    { startMs: 0, endMs: 1000, text: "early" },
    { startMs: 2000, endMs: 2500, text: "no length" },
    { startMs: 2500, endMs: 7000, text: "overlapping" },
    { startMs: 5000, endMs: 9000, text: "backwards" },
  ]);
  await expect(
    ann.client.video.putTranscript({ id, language: "en", segments: [{ startMs: 0, endMs: 1, text: " " }] }),
  ).rejects.toMatchObject({ code: "bad_input" });
});

test("captions in legacy encodings are read, and other files refused", async () => {
  const { ann, id } = await aVideo();
  const gb2312 = Buffer.concat([
    Buffer.from("1\n00:00:01,000 --> 00:00:02,000\n"),
    Buffer.from([0xb9, 0xe2, 0xba, 0xcf, 0xd7, 0xf7, 0xd3, 0xc3]),
    Buffer.from("\n"),
  ]);
  const latin1 = Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nd\xE9j\xE0 vu\n", "latin1");
  const utf16 = Buffer.from(`\uFEFF${vtt}`, "utf16le");
  const messages = [];
  for (const bytes of [gb2312, latin1, utf16]) {
    await ann.client.video.uploadCaptions({ id }, captions(new Uint8Array(bytes), "old.srt"));
    messages.push((await ann.client.video.getTranscript({ id })).transcript.segments[0]?.text);
  }
  expect(messages).toEqual(["光合作用", "déjà vu", "Photosynthesis turns light"]);
  const refused = [
    ["", "file_empty"],
    ["Dear diary", "captions_unreadable"],
    ["WEBVTT\n\nnothing here", "captions_without_times"],
  ] as const;
  for (const [content, reason] of refused)
    await expect(ann.client.video.uploadCaptions({ id }, captions(content))).rejects.toMatchObject({
      code: "invalid_file",
      reason,
    });
  await expect(ann.client.video.uploadCaptions({ id }, captions("x".repeat(9_000_000)))).rejects.toMatchObject({
    code: "too_large",
  });
});

test("search works across lines, ignoring case and accents", async () => {
  const { ann, id } = await aVideo();
  await withCaptions(ann, id, vtt.replace("chlorophyll", "Chlorophylle, né du soleil"));
  const hits = async (q: string) => (await ann.client.video.searchTranscript({ id, q })).hits;
  expect(await hits("LIGHT into sugar")).toMatchObject([{ from: 0, to: 1, startMs: 0 }]);
  expect(await hits("ne du soleil")).toMatchObject([{ from: 2, to: 2, startMs: 7000 }]);
  expect(await hits("osmosis")).toEqual([]);
});

test("a transcript is split into passages of complete sentences with times", async () => {
  const { ann, bob, id, api } = await aVideo();
  await withCaptions(ann, id);
  const reader = (user: TestUser) => ({ ...api.deps, own: ownedBy(api.deps.store, user.userId) });
  const passages = await readTranscriptPassages(reader(ann), id);
  expect(passages.map(({ text, locator }) => [text, locator])).toEqual([
    ["Photosynthesis turns light into sugar.", { startMs: 0, endMs: 5833 }],
    ["Leaves are green because of chlorophyll.", { startMs: 5833, endMs: 10_000 }],
  ]);
  await expect(readTranscriptPassages(reader(bob), id)).rejects.toMatchObject({ code: "not_found" });
});

test("every captions file of the corpus is accepted or refused with a message, without markup", async () => {
  const { ann, id } = await aVideo();
  const taken: string[] = [];
  for (const path of corpusFiles("subtitles")) {
    const name = basename(path);
    try {
      await ann.client.video.uploadCaptions({ id }, captions(new Uint8Array(readFileSync(path)), name));
      const { transcript } = await ann.client.video.getTranscript({ id, source: "sidecar" });
      taken.push(name);
      for (const { text, startMs, endMs } of transcript.segments) {
        expect([name, text]).not.toEqual([name, expect.stringMatching(/<script|onerror=/i)]);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
      }
    } catch (error) {
      expect([name, error]).toMatchObject([name, { code: "invalid_file" }]);
    }
  }
  for (const good of ["webvtt_example_01.vtt", "cycle-collector-talk.vtt", "gen_5k_cues.vtt", "ascii.srt"])
    if (taken.length > 0) expect(taken).toContain(good);
});

test("cards from a video cite the second at which their quote is spoken", async () => {
  const { ann, id } = await aVideo();
  const without = ann.client.flashcards.generateCards({ videoComponents: [{ componentId: id }], options: {} }, []);
  await expect(without).rejects.toMatchObject({ code: "bad_input", message: expect.stringContaining("captions") });
  const lines = [
    "Chlorophyll is the green pigment that absorbs light in the leaves.",
    "Osmosis is the movement of water across a membrane.",
  ];
  const segments = lines.map((text, i) => ({ startMs: i * 8000, endMs: i * 8000 + 7000, text }));
  await ann.client.video.putTranscript({ id, language: "en", segments });
  const { cards } = await ann.client.flashcards.generateCards(
    { videoComponents: [{ componentId: id }], options: {} },
    [],
  );
  expect(cards.length).toBeGreaterThan(0);
  for (const { citation } of cards) {
    const cited = parseCitation(citation ?? "");
    const at = lines.findIndex((text) => text.includes(cited?.quote ?? "?"));
    expect(cited).toMatchObject({
      type: "video_citation",
      componentId: id,
      startMs: at * 8000,
      endMs: at * 8000 + 7000,
    });
  }
});
