import { joinPages, trimHeads } from "#shared/engine/blocks.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A heading with the text under it. */
export interface Section {
  title: string;
  passages: Passage[];
}

const BACK_MATTER =
  /^(?:\d+(?:\.\d+)*\.?\s+)?(?:references?|bibliography|works cited|literature(?: cited)?|acknowledge?ments?|further reading|suggested reading|about the authors?|author (?:biograph\w+|information|contributions?)|biograph\w+|contributors?|index|credits?|copyright\b.*|licen[cs]e|appendi(?:x|ces)\b.*|(?:review|practice|discussion|study|critical thinking|visual connection) questions|exercises?|problems|homework|answers?(?: key)?|solutions?|multiple choice|(?:table of )?contents|conflicts? of interest|funding|declarations?|disclaimer|learning (?:objectives|outcomes)|objectives)\s*:?$/i;

/** A line of a bibliography, a credit, an address, a licence: not matter to learn. */
const NOT_MATTER =
  /\(credit\b|\bcredit\s*:|^\s*\[\d+\]\s+\p{Lu}|\bdoi\s*[:.]|\bISBN\b|©|\(c\)\s+\d{4}|\ball rights reserved\b|\bpp?\.\s*\d+\s*[-–]\s*\d+|\bvol\.\s*\d+|https?:\/\/|www\.|\S+@\S+\.\S+|\breceived (?:his|her|the|a) (?:B\.|M\.|Ph|degree|bachelor|master|doctor)/iu;

const TEXT_KINDS = new Set<Passage["kind"]>(["paragraph", "list_item", "table_row"]);

function isMatter(passage: Passage): boolean {
  if (!TEXT_KINDS.has(passage.kind) || NOT_MATTER.test(passage.text.slice(0, 4000))) return false;
  return /^["“‘'(\s]*[\p{L}\p{N}]/u.test(passage.text) && passage.text.trim().length > 12;
}

const isQuestion = (text: string) => /\?["”’)]*\s*$/.test(text) || /\bwhich of the following\b/i.test(text);

/** Sections of study matter in reading order; references, exercises, credits and front pages are left out. */
export function readSections(passages: readonly Passage[]): Section[] {
  const sections: Section[] = [{ title: "", passages: [] }];
  let skipBelow = 0;
  let isAsked = false;
  for (const passage of trimHeads(joinPages(passages.filter((p) => TEXT_KINDS.has(p.kind) || p.kind === "heading")))) {
    if (passage.kind === "heading") {
      const level = passage.level ?? 6;
      if (skipBelow === 0 || level <= skipBelow) skipBelow = BACK_MATTER.test(passage.text.trim()) ? level : 0;
      sections.push({ title: passage.text.trim(), passages: [] });
      isAsked = false;
    } else {
      // The options under a question are mostly false.
      isAsked = passage.kind === "list_item" ? isAsked || isQuestion(passage.text) : isQuestion(passage.text);
      if (skipBelow === 0 && !(isAsked && passage.kind === "list_item") && isMatter(passage))
        sections.at(-1)?.passages.push(passage);
    }
  }
  return sections.filter((s) => s.passages.length > 0);
}
