import { parseText, tokenizeVTTCue, type VTTCue, type VTTNode } from "media-captions";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { PLAIN, StyledBuilder, type Emphasis } from "#shared/pdf/flow/styled-builder.ts";
import { decodeEntities } from "#shared/video/caption-text.ts";
import { repairCueTimes } from "#shared/video/captions.ts";
import { decodeText } from "./decode-text.ts";

/** Cues split sentences, so they are joined until a full stop, a pause, another speaker or this length. */
const MAX_CHARS = 320;
const PAUSE_MS = 4_000;
const ENDS_SENTENCE = /[.!?。！？…]["”’)»]*$/u;
const MAX_CUES = 100_000;
/** Deeper nesting is an accident or an attack; its text is omitted. */
const MAX_DEPTH = 100;

/** WebVTT or SubRip captions as passages with their times; styling is reduced to text. */
export async function readCaptions(bytes: Uint8Array): Promise<FlowBlock[]> {
  const text = decodeText(bytes).replace(/^\uFEFF/u, "");
  const type = text.startsWith("WEBVTT") ? "vtt" : "srt";
  const lines = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const { cues } = await parseText(repairCueTimes(lines), { type, strict: false });
  const parsedCues = cues.slice(0, MAX_CUES).map(parseCue).filter(isUsable);
  return joinSentences(parsedCues.toSorted((a, b) => a.startMs - b.startMs));
}

interface ParsedCue {
  startMs: number;
  endMs: number;
  voice: string;
  runs: { text: string; emphasis: Emphasis }[];
}

function isUsable({ startMs, endMs, runs }: ParsedCue): boolean {
  const isTimed = Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs) && startMs >= 0 && endMs >= startMs;
  return isTimed && runs.some(({ text }) => text.trim() !== "");
}

function parseCue(cue: VTTCue): ParsedCue {
  const parsedCue: ParsedCue = {
    startMs: Math.round(cue.startTime * 1000),
    endMs: Math.round(cue.endTime * 1000),
    voice: "",
    runs: [],
  };
  for (const node of tokenizeVTTCue(cue)) collectRuns(node, { ...PLAIN, depth: 0 }, parsedCue);
  return parsedCue;
}

function collectRuns(node: VTTNode, setting: Emphasis & { depth: number }, parsedCue: ParsedCue): void {
  const { isBold, isItalic, depth } = setting;
  if (node.type === "text") {
    parsedCue.runs.push({ text: decodeEntities(node.data.replaceAll(/\s+/gu, " ")), emphasis: { isBold, isItalic } });
    return;
  }
  if (depth > MAX_DEPTH) return;
  // Ruby annotations would appear between the words.
  if (node.type === "rt") return;
  if (node.type === "v") parsedCue.voice = (node as { voice?: string }).voice ?? "";
  const inner = {
    isBold: isBold || node.type === "b",
    isItalic: isItalic || node.type === "i",
    depth: depth + 1,
  };
  for (const child of node.children) collectRuns(child, inner, parsedCue);
}

function joinSentences(cues: readonly ParsedCue[]): FlowBlock[] {
  const blocks: FlowBlock[] = [];
  let open: { text: StyledBuilder; startMs: number; endMs: number; voice: string } | undefined;
  const close = (): void => {
    if (open) blocks.push({ kind: "paragraph", ...open.text.finish(), startMs: open.startMs, endMs: open.endMs });
    open = undefined;
  };
  for (const { startMs, endMs, voice, runs } of cues) {
    if (open && (startMs - open.endMs > PAUSE_MS || open.voice !== voice)) close();
    open ??= { text: new StyledBuilder(), startMs, endMs, voice };
    open.endMs = Math.max(open.endMs, endMs);
    for (const { text, emphasis } of runs) open.text.add(text, emphasis);
    const written = open.text.finish().text;
    if (ENDS_SENTENCE.test(written) || written.length > MAX_CHARS) close();
    else open.text.add(" ");
  }
  close();
  return blocks;
}
