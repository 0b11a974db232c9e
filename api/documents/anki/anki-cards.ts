import { createHash } from "node:crypto";
import type { AnkiCard, AnkiLoss, AnkiLossKind, AnkiMemory } from "./anki-messages.ts";
import type { CardRow, Collection, NoteType } from "./anki-collection.ts";
import { truncateText } from "#shared/flashcards/truncate-text.ts";
import { renderClozeQuestion, findClozes, fillTemplate, listMedia, plainText, removeClozes } from "./card-markup.ts";

const DAY_MS = 86_400_000;
const MAX_TEXT = 20_000;
const MAX_LABEL = 500;
const MAX_EXAMPLES = 8;

/** Counts what could not be imported, with a few examples. */
export class AnkiLosses {
  readonly #lossesByKind = new Map<AnkiLossKind, AnkiLoss>();

  add(what: AnkiLossKind, example: string, count = 1): void {
    const loss = this.#lossesByKind.get(what) ?? { what, count: 0, examples: [] };
    loss.count += count;
    const clean = example.slice(0, 80);
    if (clean !== "" && loss.examples.length < MAX_EXAMPLES && !loss.examples.includes(clean))
      loss.examples.push(clean);
    this.#lossesByKind.set(what, loss);
  }

  list(): AnkiLoss[] {
    return [...this.#lossesByKind.values()];
  }
}

/** A guid that is too long for the key of a card is replaced by a stable hash. */
function buildCardKey({ guid, ord }: CardRow): string {
  const name = guid.length <= 50 ? guid : createHash("sha256").update(guid).digest("hex").slice(0, 40);
  return `anki:${ord}:${name.toWellFormed()}`;
}

interface Sides {
  question: string;
  answer: string;
  cloze?: NonNullable<AnkiCard["cloze"]>;
  occlusion?: NonNullable<AnkiCard["occlusion"]>;
}

const truncate = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();

/** A card as text, with its reviews and memory state; undefined if it has no question. */
export function toCard(row: CardRow, collection: Collection, losses: AnkiLosses): AnkiCard | undefined {
  const { noteType } = row;
  if (!noteType) {
    losses.add("notes_without_type", row.guid);
    return undefined;
  }
  if (row.fields.some((field) => /<script\b|\bon\w+\s*=/i.test(field))) losses.add("scripts", noteType.name);
  const sides =
    toOcclusion(row, noteType, losses) ?? (noteType.isCloze ? toCloze(row, noteType) : toBasic(row, noteType));
  if (!sides || sides.question === "") {
    losses.add("empty_cards", row.fields[0] ?? "");
    return undefined;
  }
  if (sides.question.length > MAX_TEXT || sides.answer.length > MAX_TEXT) losses.add("long_text", sides.question);
  if (`${sides.question}${sides.answer}`.includes("\ufffd")) losses.add("broken_text", sides.question);
  return {
    key: buildCardKey(row),
    deck: row.deck.toWellFormed(),
    ...sides,
    question: truncate(sides.question),
    answer: truncate(sides.answer),
    tags: row.tags.slice(0, 50).map((tag) => tag.slice(0, 100).toWellFormed()),
    isSuspended: row.queue === -1,
    reviews: collection.listReviews(row.id),
    memory: toMemory(row, collection),
  };
}

function buildTemplateValues({ fields, tags, deck }: CardRow, noteType: NoteType) {
  return {
    fields: new Map(noteType.fields.map((name, index) => [name, fields[index] ?? ""])),
    special: new Map([
      ["Tags", tags.join(" ")],
      ["Deck", deck],
      ["Subdeck", deck.split("::").at(-1) ?? ""],
      ["Type", noteType.name],
    ]),
  };
}

function toBasic(row: CardRow, noteType: NoteType): Sides | undefined {
  const template = noteType.templates[row.ord];
  if (!template) return undefined;
  const templateValues = { ...buildTemplateValues(row, noteType), cloze: (value: string) => value };
  const question = plainText(fillTemplate(template.question, { ...templateValues, frontSide: "" }));
  const answer = plainText(fillTemplate(template.answer, { ...templateValues, frontSide: "" }));
  // Removes the question from the start of the answer, where many templates repeat it.
  const answerOnly = answer.startsWith(question) ? answer.slice(question.length).trim() : answer;
  return { question, answer: answerOnly === "" ? answer : answerOnly };
}

function toCloze(row: CardRow, noteType: NoteType): Sides | undefined {
  const index = row.ord + 1;
  const fieldIndex = row.fields.findIndex((field) => findClozes(field).some((cloze) => cloze.index === index));
  const field = row.fields[fieldIndex];
  if (field === undefined) return undefined;
  const text = plainText(field);
  const answer = findClozes(text)
    .filter((cloze) => cloze.index === index)
    .map((cloze) => cloze.hidden)
    .join(", ");
  const extraFields = row.fields.filter(
    (_, i) => i !== fieldIndex && /extra|back|note/i.test(noteType.fields[i] ?? ""),
  );
  const extra = extraFields.map(plainText).filter(Boolean).join("\n");
  const whole = extra === "" ? answer : `${answer}\n\n${extra}`;
  return { question: renderClozeQuestion(text, index), answer: whole, cloze: { text: text.slice(0, MAX_TEXT), index } };
}

const SHAPE = /\{\{c(\d+)::image-occlusion:(rect|ellipse|polygon|text):([^}]*)\}\}/g;
const clamp = (value: number) => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0));

/** Rectangles and ellipses become their bounding box; other shapes are not supported. */
function toOcclusion(row: CardRow, noteType: NoteType, losses: AnkiLosses): Sides | undefined {
  const shapes = [...(row.fields[0] ?? "").matchAll(SHAPE)];
  if (shapes.length === 0) return undefined;
  const image = row.fields.flatMap((field) => listMedia(plainText(field)))[0];
  const labelFields = row.fields.filter((_, index) => /extra|back/i.test(noteType.fields[index] ?? ""));
  const regions = shapes.flatMap(([, number = "", shape = "", values = ""], index) => {
    const value = (name: string) => Number(new RegExp(`(?:^|:)${name}=([0-9.]+)`).exec(values)?.[1] ?? Number.NaN);
    if (shape !== "rect" && shape !== "ellipse") {
      losses.add("shapes", shape);
      return [];
    }
    const isRound = shape === "ellipse";
    const [w, h] = isRound ? [2 * value("rx"), 2 * value("ry")] : [value("width"), value("height")];
    const region = { x: clamp(value("left")), y: clamp(value("top")), w: clamp(w), h: clamp(h) };
    const label = truncateText(findLabel(labelFields, Number(number)), MAX_LABEL);
    return [{ id: `${number}-${index}`, number: Number(number), ...region, label }];
  });
  const target = regions.find((region) => region.number === row.ord + 1);
  if (image === undefined || !target) return undefined;
  const header = row.fields.filter((_, index) => /header/i.test(noteType.fields[index] ?? "")).map(plainText);
  const extra = labelFields.map((field) => plainText(removeClozes(field)));
  const answer = [findLabel(labelFields, target.number), ...extra].filter(Boolean).join("\n\n");
  return {
    question: header.find(Boolean) ?? "What is hidden here?",
    answer: answer === "" ? "See the picture." : answer,
    occlusion: {
      image,
      regions: regions.map(({ number: _number, ...region }) => region),
      regionId: target.id,
      // Anki sets this on each shape, but it applies to all.
      hidesAll: /(?:^|:)oi=1\b/.test(shapes[0]?.[3] ?? ""),
    },
  };
}

/** The cloze text with one number, which labels a region in notes exported from Lamplight. */
const findLabel = (fields: readonly string[], number: number): string =>
  fields
    .flatMap(findClozes)
    .filter(({ index }) => index === number)
    .map(({ hidden }) => plainText(hidden))
    .join(", ");

const states = { 1: "learning", 2: "review", 3: "relearning" } as const;

function toMemory(row: CardRow, { createdAt }: Collection): AnkiMemory | null {
  const state = states[row.type as 1 | 2 | 3];
  if (!state || row.reps === 0) return null;
  // Learning cards are due at an epoch second, all others on a day counted from the collection's creation.
  const isSecond = row.due > 1_000_000_000;
  const dueAt = isSecond ? row.due * 1000 : createdAt * 1000 + row.due * DAY_MS;
  const fsrsState = parseFsrs(row.data);
  return {
    state,
    dueAt: Math.max(0, dueAt),
    // Negative intervals are in seconds.
    intervalDays: row.ivl > 0 ? row.ivl : 0,
    reps: Math.max(0, row.reps),
    lapses: Math.max(0, row.lapses),
    factor: row.factor / 1000,
    ...fsrsState,
    lastReviewedAt: null,
  };
}

function parseFsrs(data: string): Pick<AnkiMemory, "stability" | "difficulty"> {
  try {
    const { s, d } = JSON.parse(data) as { s?: unknown; d?: unknown };
    if (typeof s === "number" && typeof d === "number" && s > 0 && d >= 1 && d <= 10)
      return { stability: s, difficulty: d };
  } catch {
    // Cards of older collections have no data here, or an add-on's.
  }
  return { stability: null, difficulty: null };
}
