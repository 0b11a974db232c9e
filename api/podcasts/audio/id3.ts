import { Buffer } from "node:buffer";

interface TaggedEpisode {
  title: string;
  artist: string;
  durationMs: number;
  chapters: readonly { title: string; startMs: number }[];
  /** A PNG. */
  cover: Uint8Array | undefined;
}

const HEADER_BYTES = 10;
/** Zero bytes behind the frames, so that a longer title and its cover fit and the audio stays at its position. */
const PADDING_BYTES = 32_768;

/** https://id3.org/id3v2.3.0: sizes of the whole tag have seven bits a byte. */
const syncSafe = (size: number) =>
  Buffer.from([(size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

const frame = (id: string, body: Buffer) =>
  Buffer.concat([Buffer.from(id, "latin1"), uint32(body.length), Buffer.from([0, 0]), body]);

/** UTF-16 with a byte order mark, which version 2.3 requires. */
const textFrame = (id: string, text: string) =>
  frame(id, Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, "utf16le")]));

const NO_OFFSET = 0xff_ff_ff_ff;
const FRONT_COVER = 3;
const TOP_LEVEL_ORDERED = 3;

const idOf = (index: number) => Buffer.from(`ch${index}\0`, "latin1");

/** https://id3.org/id3v2-chapters-1.0 */
function chapterFrames({ chapters, durationMs }: TaggedEpisode): Buffer[] {
  const frames = chapters.map(({ title, startMs }, index) => {
    const endMs = chapters[index + 1]?.startMs ?? durationMs;
    const times = [startMs, endMs, NO_OFFSET, NO_OFFSET].map(uint32);
    return frame("CHAP", Buffer.concat([idOf(index), ...times, textFrame("TIT2", title)]));
  });
  const head = Buffer.concat([Buffer.from("toc\0", "latin1"), Buffer.from([TOP_LEVEL_ORDERED, chapters.length])]);
  return [frame("CTOC", Buffer.concat([head, ...chapters.map((_, index) => idOf(index))])), ...frames];
}

const coverFrame = (cover: Uint8Array) =>
  frame("APIC", Buffer.concat([Buffer.from("\0image/png\0", "latin1"), Buffer.from([FRONT_COVER, 0]), cover]));

/** The length of the tag at the beginning of a file; 0 without a tag. */
export function readId3Length(head: Buffer): number {
  if (head.length < HEADER_BYTES || head.toString("latin1", 0, 3) !== "ID3") return 0;
  return head.subarray(6, HEADER_BYTES).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0) + HEADER_BYTES;
}

/**
 * An ID3 tag with title, chapters and cover, to be written before the audio. It gets the length of the tag that it
 * replaces, if it fits.
 */
export function createId3Tag(episode: TaggedEpisode, replacedBytes = 0): Buffer {
  const frames = Buffer.concat([
    textFrame("TIT2", episode.title),
    textFrame("TPE1", episode.artist),
    textFrame("TLEN", String(Math.round(episode.durationMs))),
    ...(episode.chapters.length > 0 ? chapterFrames(episode) : []),
    ...(episode.cover ? [coverFrame(episode.cover)] : []),
  ]);
  const room = replacedBytes - HEADER_BYTES - frames.length;
  const padding = Buffer.alloc(room >= 0 ? room : PADDING_BYTES);
  const size = syncSafe(frames.length + padding.length);
  return Buffer.concat([Buffer.from("ID3", "latin1"), Buffer.from([3, 0, 0]), size, frames, padding]);
}
