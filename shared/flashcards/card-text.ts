/** A piece of a card's side. Texts keep their line breaks. */
export type CardPiece =
  | { kind: "text" | "blank" | "code" | "code_block" | "math" | "math_block"; text: string }
  | { kind: "image" | "sound"; text: string; fileId: string };

const PIECES =
  /```(?:[a-z0-9+#-]*\n)?([\s\S]*?)```|`([^`\n]+)`|\$\$([^$]+)\$\$|\$(?=\S)([^$\n]*[^$\s])\$(?!\d)|!\[([^\]\n]{0,500})\]\(\/v1\/files\/([A-Za-z0-9._-]{1,80})\)|(_{3,})/g;

/** Splits a card's side into text, blanks, code, formulae, pictures and sounds. Nothing else is interpreted. */
export const parseCardText = (side: string): CardPiece[] => [...splitSide(side)].map(({ piece }) => piece);

const textPiece = (source: string) => ({ source, piece: { kind: "text" as const, text: source } });

/** Each piece with how it is written. */
function* splitSide(side: string): Generator<{ source: string; piece: CardPiece }> {
  let from = 0;
  for (const match of side.matchAll(PIECES)) {
    if (match.index > from) yield textPiece(side.slice(from, match.index));
    from = match.index + match[0].length;
    yield { source: match[0], piece: toPiece(match) };
  }
  if (from < side.length) yield textPiece(side.slice(from));
}

/** The beginning of a side. Text is cut at a word; any other piece stays whole or is left out with the rest. */
export function cutCardText(side: string, maxChars: number): string {
  let beginning = "";
  let charsLeft = maxChars;
  for (const { source, piece } of splitSide(side)) {
    const isText = piece.kind === "text";
    const written = isText ? source.replaceAll(/\s+/g, " ") : source;
    const chars = "fileId" in piece ? 0 : written.length;
    if (chars > charsLeft) {
      if (isText) beginning += written.slice(0, charsLeft).replace(/\s\S*$/u, "");
      return beginning.trim() === "" ? "" : `${beginning.trim()} …`;
    }
    beginning += written;
    charsLeft -= chars;
  }
  return beginning.trim();
}

function toPiece([whole, block, code, display, inline, alt, fileId]: RegExpMatchArray): CardPiece {
  if (block !== undefined) return { kind: "code_block", text: block.replace(/\n$/, "") };
  if (code !== undefined) return { kind: "code", text: code };
  if (display !== undefined) return { kind: "math_block", text: display.trim() };
  if (inline !== undefined) return { kind: "math", text: inline };
  if (fileId !== undefined) return { kind: alt === "sound" ? "sound" : "image", text: alt ?? "", fileId };
  return { kind: "blank", text: whole };
}

/** Whether a side contains more than text and blanks. */
export const isRich = (side: string): boolean =>
  parseCardText(side).some(({ kind }) => kind !== "text" && kind !== "blank");

export const hasSound = (side: string): boolean => parseCardText(side).some(({ kind }) => kind === "sound");
