import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { AnkiLosses, toCard } from "./anki-cards.ts";
import { openCollection } from "./anki-collection.ts";
import type { AnkiCard, FromAnki, ToAnki } from "./anki-messages.ts";
import { openPackage, type AnkiPackage } from "./anki-package.ts";
import { AnkiFormatError } from "./protobuf.ts";
import { listMedia } from "./card-markup.ts";
import { writePackage } from "./anki-writer.ts";
import { startWatchdog } from "../process/watchdog.ts";

const MAX_MEMORY_BYTES = 1400 * 1024 * 1024;
/** Far above any real collection. */
const MAX_CARDS = 50_000;
const CHUNK_SIZE = 500;

const reportAlive = startWatchdog({ memoryBytes: MAX_MEMORY_BYTES, maxSilentCpuMs: 30_000 });

/** Sends one message at a time, so that unread messages do not pile up. */
function send(message: FromAnki): Promise<void> {
  reportAlive();
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

async function sendMedia(
  cards: readonly AnkiCard[],
  file: AnkiPackage,
  seen: Set<string>,
  losses: AnkiLosses,
): Promise<void> {
  for (const { question, answer, occlusion, cloze } of cards) {
    const texts = listMedia(`${question}\n${answer}\n${cloze?.text ?? ""}`);
    for (const name of occlusion ? [...texts, occlusion.image] : texts) {
      if (seen.has(name)) continue;
      seen.add(name);
      const bytes = file.readMedia(name);
      if (bytes) await send({ type: "media", media: { name, bytes } });
      else losses.add("missing_media", name);
    }
  }
}

async function read(path: string): Promise<void> {
  const file = openPackage(new Uint8Array(readFileSync(path)));
  const collection = openCollection(file.collection);
  const losses = new AnkiLosses();
  const seen = new Set<string>();
  const total = Math.min(collection.cardCount, MAX_CARDS);
  let chunk: AnkiCard[] = [];
  let done = 0;
  const flush = async () => {
    await sendMedia(chunk, file, seen, losses);
    await send({ type: "cards", cards: chunk, done, total });
    chunk = [];
  };
  for (const row of collection.cards()) {
    if (done === MAX_CARDS) {
      losses.add("too_many_cards", "", collection.cardCount - MAX_CARDS);
      break;
    }
    done += 1;
    const card = toCard(row, collection, losses);
    if (card) chunk.push(card);
    if (done % CHUNK_SIZE === 0) await flush();
  }
  await flush();
  const collectionFingerprint = createHash("sha256").update(String(collection.createdAt)).digest("hex");
  await send({ type: "done", losses: losses.list(), collectionFingerprint });
}

process.on("message", (message: ToAnki) => {
  const work = async () => {
    if (message.type === "read") return read(message.path);
    return send({ type: "written", bytes: writePackage(message.package, reportAlive) });
  };
  work()
    .catch((error: unknown) =>
      send({ type: "failed", fault: error instanceof AnkiFormatError ? error.fault : "broken" }),
    )
    .finally(() => process.disconnect());
});
process.on("disconnect", () => process.exit(0));
