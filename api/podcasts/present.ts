import { createHash } from "node:crypto";
import { v1 } from "#shared/contract/v1.ts";
import type { ChaptersFile, Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";
import type { PodcastDoc, ScriptDoc } from "./store.ts";

export function presentPodcast(doc: PodcastDoc): Podcast {
  const {
    ownerId: _owner,
    may_fall_back: _fallBack,
    attempt: _attempt,
    chargedUsage: _charged,
    audioFileId: _audio,
    positionAt: _positionAt,
    linesRemovedAt: _linesRemovedAt,
    coverFileId,
    ...podcast
  } = doc;
  // The cover is drawn anew for another title.
  const version = createHash("sha256").update(doc.title).digest("hex").slice(0, 12);
  const location = `${v1.podcasts.getThumbnail.path.replace(":id", doc._id)}?v=${version}`;
  return { ...podcast, thumbnail_file: coverFileId === null ? null : { location } };
}

/** The start of each chapter; null until its first line is spoken. */
function chaptersOf({ chapters, lines }: ScriptDoc): PodcastTranscript["chapters"] {
  return chapters.map(({ title }, index) => ({
    title,
    startMs: lines.find((line) => line.chapter === index)?.startMs ?? null,
  }));
}

export function presentTranscript(script: ScriptDoc | undefined): PodcastTranscript {
  if (!script) return { lines: [], chapters: [] };
  const lines = script.lines.map(
    ({
      spoken: _spoken,
      gapMs: _gap,
      at: _at,
      run: _run,
      isRunStart: _start,
      minSentences: _min,
      topic: _topic,
      prompt: _prompt,
      ...line
    }) => line,
  );
  return { lines, chapters: chaptersOf(script) };
}

export function presentChapters(podcast: PodcastDoc, script: ScriptDoc | undefined): ChaptersFile {
  const chapters = script ? chaptersOf(script) : [];
  return {
    version: "1.2.0",
    title: podcast.title,
    chapters: chapters.flatMap(({ title, startMs }) =>
      startMs === null ? [] : [{ startTime: startMs / 1000, title }],
    ),
  };
}

const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
const pad = (value: number, digits: number) => String(value).padStart(digits, "0");

function formatTime(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  const hours = Math.floor(minutes / MINUTE_SECONDS);
  return `${pad(hours, 2)}:${pad(minutes % MINUTE_SECONDS, 2)}:${pad(seconds % MINUTE_SECONDS, 2)}.${pad(Math.round(ms % SECOND_MS), 3)}`;
}

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(/\s+/gu, " ");

/** WebVTT (https://www.w3.org/TR/webvtt1/) with the name of the speaker in each cue. */
export function toWebVtt({ host, guest }: PodcastDoc, script: ScriptDoc | undefined): string {
  const cues = (script?.lines ?? []).flatMap(({ speaker, text, startMs, endMs }) => {
    if (startMs === undefined || endMs === undefined) return [];
    const name = escapeText(speaker === "host" ? host.name : guest.name);
    return [`${formatTime(startMs)} --> ${formatTime(endMs)}\n<v ${name}>${escapeText(text)}`];
  });
  return `WEBVTT\n\n${cues.map((cue) => `${cue}\n`).join("\n")}`;
}
