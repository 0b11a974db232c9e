import { createHash } from "node:crypto";
import type { OutgoingCard } from "./anki-messages.ts";
import { BASIC_ID, CLOZE_ID, OCCLUSION_ID } from "./anki-note-types.ts";
import { mediaMark, nameOf } from "./anki-text.ts";

/** The first 44 bits of a text's SHA-1. */
export const hash48 = (text: string) => Number.parseInt(createHash("sha1").update(text).digest("hex").slice(0, 11), 16);

/** Control characters, one of which (U+001F) separates Anki's fields. */
const NO_TEXT = /[^\P{Cc}\t\n\r]+/gu;

/** Converts card text to HTML, with our image and formula syntax replaced by Anki's. */
function toMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NO_TEXT, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/!\[([^\]]*)\]\(anki:([^)\s]+)\)/g, (_, alt: string, name: string) => {
      const file = nameOf(name);
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

interface Named {
  /** The note's guid; for an imported card, its original one. */
  name: string;
  /** The card's ordinal in that note. */
  ord: string;
  isFromPackage: boolean;
}

function namesOf({ key }: OutgoingCard): Named {
  if (!key.startsWith("anki:")) return { name: key, ord: "0", isFromPackage: false };
  const [, ord = "0", ...names] = key.split(":");
  return { name: names.join(":"), ord, isFromPackage: true };
}

/** The note that a card belongs to, with its fields, and the card's ordinal in it. */
interface Place extends Omit<Note, "cards"> {
  ord: number;
}

function clozePlace({ source }: OutgoingCard, cloze: NonNullable<OutgoingCard["cloze"]>, named: Named): Place {
  const fields = [toMarkup(cloze.text), "", toMarkup(source)];
  const guid = named.isFromPackage ? named.name : cloze.group;
  return { guid, typeId: CLOZE_ID, fields, ord: cloze.index - 1 };
}

/** Escapes cloze syntax inside a cloze field. */
const withinCloze = (markup: string) =>
  markup.replaceAll("{", "&#123;").replaceAll("}", "&#125;").replaceAll("::", "&#58;&#58;");

const share = (value: number) => String(Number(value.toFixed(4)));

/**
 * Image occlusion in the format of Anki 23.10 and later: one shape per cloze, positions as fractions of the image,
 * `oi=1` if the other regions are hidden as well (see `rslib/src/image_occlusion` in Anki's source). The labels are
 * clozes too, so that each card shows its own answer.
 */
function occlusionPlace(
  { question, source }: OutgoingCard,
  { image, regions, number, hidesAll, group }: NonNullable<OutgoingCard["occlusion"]>,
  named: Named,
): Place {
  const shapes = regions.map((region) => {
    const place = [region.x, region.y, region.w, region.h].map(share);
    const [left, top, width, height] = place;
    const values = `left=${left}:top=${top}:width=${width}:height=${height}${hidesAll ? ":oi=1" : ""}`;
    return `{{c${region.number}::image-occlusion:rect:${values}}}`;
  });
  const told = regions
    .filter(({ label }) => label !== "")
    .map((region) => `{{c${region.number}::${withinCloze(toMarkup(region.label))}}}`);
  const fields = [
    shapes.join("<br>"),
    toMarkup(mediaMark(image)),
    toMarkup(question),
    told.join("<br>"),
    toMarkup(source),
  ];
  return { guid: named.isFromPackage ? named.name : group, typeId: OCCLUSION_ID, fields, ord: number - 1 };
}

/** Groups cards of one cloze text or image into one note; an imported card keeps its original guid. */
export function notesOf(cards: readonly OutgoingCard[]): Note[] {
  const notes = new Map<string, Note>();
  for (const card of cards) {
    const named = namesOf(card);
    const { cloze, occlusion } = card;
    if (cloze) join(notes, card, clozePlace(card, cloze, named));
    else if (occlusion) join(notes, card, occlusionPlace(card, occlusion, named));
    else {
      // Another card of the same note becomes a note of its own, because our basic type has only one card.
      const guid = named.ord === "0" ? named.name : `${named.name}-${named.ord}`;
      const fields = [toMarkup(card.question), toMarkup(card.answer), toMarkup(card.source)];
      notes.set(`pair ${guid}`, { guid, typeId: BASIC_ID, fields, cards: [{ ord: 0, card }] });
    }
  }
  return [...notes.values()];
}

/** A note whose cards now have different texts is exported as several notes. */
function join(notes: Map<string, Note>, card: OutgoingCard, { guid: named, ord, typeId, fields }: Place): void {
  const held = notes.get(`${typeId} ${named}`);
  const isOther = held !== undefined && !isSameNote(held, { typeId, fields });
  const guid = isOther ? `${named}-${hash48(fields.join())}` : named;
  const key = `${typeId} ${guid}`;
  const note = notes.get(key) ?? { guid, typeId, fields, cards: [] };
  note.cards.push({ ord, card });
  notes.set(key, note);
}

/** Sources may differ between cards; the first one is used. */
function isSameNote(held: Note, { typeId, fields }: Pick<Note, "typeId" | "fields">): boolean {
  const compared = typeId === CLOZE_ID ? 1 : 4;
  return fields.slice(0, compared).join("\u001f") === held.fields.slice(0, compared).join("\u001f");
}
