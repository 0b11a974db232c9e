import type { ComponentType } from "react";
import { parseCardText, type CardPiece } from "#shared/flashcards/card-text.ts";
import "./card-text.css";

type FileComponent = ComponentType<{ fileId: string; name: string }>;

/** Components that a card is rendered with: each app loads files and formulae in its own way. */
export interface CardRenderers {
  Picture: FileComponent;
  Sound: FileComponent;
  Formula: ComponentType<{ tex: string; isBlock: boolean }>;
  /** The accessible name of a blank. */
  blankLabel: string;
}

function Piece({
  piece,
  renderers: { Picture, Sound, Formula, blankLabel },
}: {
  piece: CardPiece;
  renderers: CardRenderers;
}) {
  switch (piece.kind) {
    case "text":
      return <span className="card-words">{piece.text}</span>;
    case "blank":
      return (
        <span className="card-blank" role="img" aria-label={blankLabel}>
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

/** Renders a side of a card: text, blanks, code, formulae, pictures, sounds. */
export function CardPieces({ text, renderers }: { text: string; renderers: CardRenderers }) {
  return parseCardText(text).map((piece, index) => (
    // Pieces are identified only by their position.
    <Piece key={index} piece={piece} renderers={renderers} />
  ));
}

const FILE = /^\/v1\/files\/([A-Za-z0-9._-]{1,80})$/;

/** The file that `questionImage` or `answerImage` names; undefined if it is not one of the account's files. */
export const cardFileId = (address: string | null | undefined): string | undefined => FILE.exec(address ?? "")?.[1];
