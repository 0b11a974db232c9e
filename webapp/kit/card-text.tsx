import { readCardText, type CardPiece } from "#shared/flashcards/card-text.ts";
import { t } from "#shared/messages/translate.ts";
import { Maths } from "#shared/ui/maths.tsx";
import { useFile } from "./picture.ts";
import "./card-text.css";

function Picture({ fileId, name }: { fileId: string; name: string }) {
  const address = useFile(fileId);
  if (address === undefined) return <span className="card-picture-wait">{name}</span>;
  return <img className="card-picture" src={address} alt={name} />;
}

function Sound({ fileId }: { fileId: string }) {
  const address = useFile(fileId);
  return address === undefined ? null : (
    <audio className="card-sound" controls src={address} aria-label={t("flashcards.sound")} />
  );
}

function Piece({ piece }: { piece: CardPiece }) {
  switch (piece.kind) {
    case "text":
      return <span className="card-words">{piece.text}</span>;
    case "gap":
      return (
        <span className="study-blank" role="img" aria-label={t("study.blank")}>
          {"\u00a0"}
        </span>
      );
    case "code":
      return (
        <code className="card-code" dir="ltr">
          {piece.text}
        </code>
      );
    case "code_block":
      return (
        <code className="card-code card-code-block" dir="ltr">
          {piece.text}
        </code>
      );
    case "math":
    case "math_block":
      return <Maths latex={piece.text} display={piece.kind === "math_block"} />;
    case "image":
      return <Picture fileId={piece.fileId} name={piece.text} />;
    case "sound":
      return <Sound fileId={piece.fileId} />;
    default:
      return piece satisfies never;
  }
}

/** A side of a card as it is meant: words, gaps, code, formulae, pictures, sounds. */
export function CardText({ text }: { text: string }) {
  return readCardText(text).map((piece, at) => (
    // Pieces have no other identity than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Piece key={at} piece={piece} />
  ));
}

const FILE = /^\/v1\/files\/([A-Za-z0-9._-]{1,80})$/;

/** The picture that stands with a side, as `questionImage` and `answerImage` name it. */
export function CardImage({ address }: { address: string | null | undefined }) {
  const fileId = FILE.exec(address ?? "")?.[1];
  return fileId === undefined ? null : <Picture fileId={fileId} name={t("flashcards.picture")} />;
}
