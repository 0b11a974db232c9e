import { createHash } from "node:crypto";
import type { OutgoingCard } from "./anki-messages.ts";
import { BASIC_ID, CLOZE_ID, OCCLUSION_ID } from "./anki-note-types.ts";
import { mediaMark, nameOf } from "./anki-text.ts";

/** The first 44 bits of a text's hash. */
export const hash48 = (text: string) => Number.parseInt(createHash("sha1").update(text).digest("hex").slice(0, 11), 16);

/** Signs that no text shows; one of them stands between Anki's fields. */
const NO_TEXT = /[^\P{Cc}\t\n\r]+/gu;

/** Words of a card as markup: our signs for pictures and formulae become Anki's. */
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
  /** The note's name, where the card came from a package: it goes out under its own. */
  name: string;
  /** The card's number in that note. */
  ord: string;
  isFromPackage: boolean;
}

function namesOf({ key }: OutgoingCard): Named {
  if (!key.startsWith("anki:")) return { name: key, ord: "0", isFromPackage: false };
  const [, ord = "0", ...names] = key.split(":");
  return { name: names.join(":"), ord, isFromPackage: true };
}

/** Where a card of a note with several stands: which note, what that holds, and the card's number in it. */
interface Place extends Omit<Note, "cards"> {
  ord: number;
}

function clozePlace({ source }: OutgoingCard, cloze: NonNullable<OutgoingCard["cloze"]>, named: Named): Place {
  const fields = [toMarkup(cloze.text), "", toMarkup(source)];
  const guid = named.isFromPackage ? named.name : cloze.group;
  return { guid, typeId: CLOZE_ID, fields, ord: cloze.index - 1 };
}

/** In a field whose hidden parts Anki looks for, no other sign may pass for one. */
const withinCloze = (markup: string) =>
  markup.replaceAll("{", "&#123;").replaceAll("}", "&#125;").replaceAll("::", "&#58;&#58;");

const share = (value: number) => String(Number(value.toFixed(4)));

/**
 * Hidden parts of a picture as Anki keeps them since 23.10: a shape in each numbered part, places as shares of the
 * picture, `oi=1` where the others are covered as well (its source, `rslib/src/image_occlusion`). What stands there is
 * told part by part, so that each card answers its own.
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

/** Cards of one text, or of one picture, are one note; a card that came from a package goes out under its own name. */
export function notesOf(cards: readonly OutgoingCard[]): Note[] {
  const notes = new Map<string, Note>();
  for (const card of cards) {
    const named = namesOf(card);
    const { cloze, occlusion } = card;
    if (cloze) join(notes, card, clozePlace(card, cloze, named));
    else if (occlusion) join(notes, card, occlusionPlace(card, occlusion, named));
    else {
      // A second side of the same note becomes a note of its own, as our type has one card.
      const guid = named.ord === "0" ? named.name : `${named.name}-${named.ord}`;
      const fields = [toMarkup(card.question), toMarkup(card.answer), toMarkup(card.source)];
      notes.set(`pair ${guid}`, { guid, typeId: BASIC_ID, fields, cards: [{ ord: 0, card }] });
    }
  }
  return [...notes.values()];
}

/** A note whose cards came to hold several texts goes out as several. */
function join(notes: Map<string, Note>, card: OutgoingCard, { guid: named, ord, typeId, fields }: Place): void {
  const held = notes.get(`${typeId} ${named}`);
  const isOther = held !== undefined && !isSameNote(held, { typeId, fields });
  const guid = isOther ? `${named}-${hash48(fields.join())}` : named;
  const key = `${typeId} ${guid}`;
  const note = notes.get(key) ?? { guid, typeId, fields, cards: [] };
  note.cards.push({ ord, card });
  notes.set(key, note);
}

/** Sources may differ from card to card: the first one's is told. */
function isSameNote(held: Note, { typeId, fields }: Pick<Note, "typeId" | "fields">): boolean {
  const compared = typeId === CLOZE_ID ? 1 : 4;
  return fields.slice(0, compared).join("\u001f") === held.fields.slice(0, compared).join("\u001f");
}
