import type { ComponentType } from "react";
import { readCardText, type CardPiece } from "#shared/flashcards/card-text.ts";
import "./card-text.css";

type File = ComponentType<{ fileId: string; name: string }>;

/** What a card is drawn with besides words: each interface has its own way to files and to formulae. */
export interface CardParts {
  Picture: File;
  Sound: File;
  Formula: ComponentType<{ tex: string; isBlock: boolean }>;
  /** A gap, in words. */
  blank: string;
}

function Piece({ piece, parts: { Picture, Sound, Formula, blank } }: { piece: CardPiece; parts: CardParts }) {
  switch (piece.kind) {
    case "text":
      return <span className="card-words">{piece.text}</span>;
    case "gap":
      return (
        <span className="card-blank" role="img" aria-label={blank}>
          {"\u00a0"}
        </span>
      );
    case "code":
    case "code_block":
      return (
        <code className={piece.kind === "code" ? "card-code" : "card-code card-code-block"} dir="ltr">
          {piece.text}
        </code>
      );
    case "math":
    case "math_block":
      return <Formula tex={piece.text} isBlock={piece.kind === "math_block"} />;
    case "image":
      return <Picture fileId={piece.fileId} name={piece.text} />;
    case "sound":
      return <Sound fileId={piece.fileId} name={piece.text} />;
    default:
      return piece satisfies never;
  }
}

/** A side of a card as it is meant: words, gaps, code, formulae, pictures, sounds. */
export function CardPieces({ text, parts }: { text: string; parts: CardParts }) {
  return readCardText(text).map((piece, at) => (
    // Pieces have no other identity than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Piece key={at} piece={piece} parts={parts} />
  ));
}

const FILE = /^\/v1\/files\/([A-Za-z0-9._-]{1,80})$/;

/** The file that `questionImage` or `answerImage` names; undefined where none of the account's is named. */
export const cardFile = (address: string | null | undefined): string | undefined => FILE.exec(address ?? "")?.[1];
