import { createHash } from "node:crypto";
import type { OutgoingCard } from "./anki-messages.ts";
import { BASIC_ID, CLOZE_ID, OCCLUSION_ID } from "./anki-note-types.ts";
import { mediaReference, decodeName } from "./card-markup.ts";

/** The first 44 bits of a text's SHA-1. */
export const hash48 = (text: string) => Number.parseInt(createHash("sha1").update(text).digest("hex").slice(0, 11), 16);

/** Control characters, one of which (U+001F) separates Anki's fields. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]+/gu;

/** Converts card text to HTML, with our image and formula syntax replaced by Anki's. */
function toMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROL_CHARACTERS, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/!\[([^\]]*)\]\(anki:([^)\s]+)\)/g, (_, alt: string, name: string) => {
      const file = decodeName(name);
      return alt === "sound" ? `[sound:${file}]` : `<img src="${file.replaceAll('"', "&quot;")}">`;
    })
    .replaceAll(/\$\$([^$]+)\$\$/g, (_, tex: string) => `\\[${tex}\\]`)
    .replaceAll(/\$([^$\n]+)\$/g, (_, tex: string) => `\\(${tex}\\)`)
    .replaceAll("\n", "<br>");
}

export interface Note {
  guid: string;
  typeId: number;
  fields: string[];
  cards: { ord: number; card: OutgoingCard }[];
}

interface NoteIdentity {
  /** The note's guid; for an imported card, its original one. */
  name: string;
  /** The card's ordinal in that note. */
  ord: string;
  isFromPackage: boolean;
}

function readIdentity({ key }: OutgoingCard): NoteIdentity {
  if (!key.startsWith("anki:")) return { name: key, ord: "0", isFromPackage: false };
  const [, ord = "0", ...names] = key.split(":");
  return { name: names.join(":"), ord, isFromPackage: true };
}

/** The note that a card belongs to, with its fields, and the card's ordinal in it. */
interface NoteSlot extends Omit<Note, "cards"> {
  ord: number;
}

function toClozeNote(
  { source }: OutgoingCard,
  cloze: NonNullable<OutgoingCard["cloze"]>,
  identity: NoteIdentity,
): NoteSlot {
  const fields = [toMarkup(cloze.text), "", toMarkup(source)];
  const guid = identity.isFromPackage ? identity.name : cloze.group;
  return { guid, typeId: CLOZE_ID, fields, ord: cloze.index - 1 };
}

/** Escapes cloze syntax inside a cloze field. */
const escapeCloze = (markup: string) =>
  markup.replaceAll("{", "&#123;").replaceAll("}", "&#125;").replaceAll("::", "&#58;&#58;");

const formatFraction = (value: number) => String(Number(value.toFixed(4)));

/**
 * Image occlusion in the format of Anki 23.10 and later: one shape per cloze, positions as fractions of the image,
 * `oi=1` if the other regions are hidden as well (see `rslib/src/image_occlusion` in Anki's source). The labels are
 * clozes too, so that each card shows its own answer.
 */
function toOcclusionNote(
  { question, source }: OutgoingCard,
  { image, regions, number, hidesAll, group }: NonNullable<OutgoingCard["occlusion"]>,
  identity: NoteIdentity,
): NoteSlot {
  const shapes = regions.map((region) => {
    const fractions = [region.x, region.y, region.w, region.h].map(formatFraction);
    const [left, top, width, height] = fractions;
    const values = `left=${left}:top=${top}:width=${width}:height=${height}${hidesAll ? ":oi=1" : ""}`;
    return `{{c${region.number}::image-occlusion:rect:${values}}}`;
  });
  const labels = regions
    .filter(({ label }) => label !== "")
    .map((region) => `{{c${region.number}::${escapeCloze(toMarkup(region.label))}}}`);
  const fields = [
    shapes.join("<br>"),
    toMarkup(mediaReference(image)),
    toMarkup(question),
    labels.join("<br>"),
    toMarkup(source),
  ];
  return { guid: identity.isFromPackage ? identity.name : group, typeId: OCCLUSION_ID, fields, ord: number - 1 };
}

/** Groups cards of one cloze text or image into one note; an imported card keeps its original guid. */
export function groupNotes(cards: readonly OutgoingCard[]): Note[] {
  const notes = new Map<string, Note>();
  for (const card of cards) {
    const identity = readIdentity(card);
    const { cloze, occlusion } = card;
    if (cloze) addToNote(notes, card, toClozeNote(card, cloze, identity));
    else if (occlusion) addToNote(notes, card, toOcclusionNote(card, occlusion, identity));
    else {
      // Another card of the same note becomes a note of its own, because our basic type has only one card.
      const guid = identity.ord === "0" ? identity.name : `${identity.name}-${identity.ord}`;
      const fields = [toMarkup(card.question), toMarkup(card.answer), toMarkup(card.source)];
      notes.set(`pair ${guid}`, { guid, typeId: BASIC_ID, fields, cards: [{ ord: 0, card }] });
    }
  }
  return [...notes.values()];
}

/** A note whose cards now have different texts is exported as several notes. */
function addToNote(
  notes: Map<string, Note>,
  card: OutgoingCard,
  { guid: identity, ord, typeId, fields }: NoteSlot,
): void {
  const existing = notes.get(`${typeId} ${identity}`);
  const isDifferent = existing !== undefined && !isSameNote(existing, { typeId, fields });
  const guid = isDifferent ? `${identity}-${hash48(fields.join())}` : identity;
  const key = `${typeId} ${guid}`;
  const note = notes.get(key) ?? { guid, typeId, fields, cards: [] };
  note.cards.push({ ord, card });
  notes.set(key, note);
}

/** Sources may differ between cards; the first one is used. */
function isSameNote(existing: Note, { typeId, fields }: Pick<Note, "typeId" | "fields">): boolean {
  const compared = typeId === CLOZE_ID ? 1 : 4;
  return fields.slice(0, compared).join("\u001f") === existing.fields.slice(0, compared).join("\u001f");
}
