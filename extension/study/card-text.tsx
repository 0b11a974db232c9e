import { useEffect, useState } from "react";
import { type CardPiece, readCardText } from "#shared/flashcards/card-text.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { HiddenPicture } from "#shared/ui/hidden-picture.tsx";
import { client } from "#extension/kit/client.ts";
import { words } from "#extension/kit/words.ts";
import { Formula } from "#extension/ui/formula.tsx";

/** A file of the account's; it takes the account's token to be fetched. */
function useFile(fileId: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    const show = async () => {
      const blob = await client.pages.getFile({ fileId }).catch(() => undefined);
      if (!blob || isGone) return;
      made = URL.createObjectURL(blob);
      setAddress(made);
    };
    void show();
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [fileId]);
  return address;
}

function Picture({ fileId, name }: { fileId: string; name: string }) {
  const address = useFile(fileId);
  return address === undefined ? <span>{name}</span> : <img className="study-picture" src={address} alt={name} />;
}

function Sound({ fileId, name }: { fileId: string; name: string }) {
  const address = useFile(fileId);
  return address === undefined ? <span>{name}</span> : <audio controls src={address} aria-label={name} />;
}

function Piece({ piece }: { piece: CardPiece }) {
  switch (piece.kind) {
    case "text":
      return <span>{piece.text}</span>;
    case "gap":
      return (
        <span className="study-blank" role="img" aria-label={words.study_blank}>
          {"\u00a0"}
        </span>
      );
    case "code":
      return <code>{piece.text}</code>;
    case "code_block":
      return <code className="study-code">{piece.text}</code>;
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

/** A side of a card as it is meant. */
export function CardText({ text }: { text: string }) {
  return readCardText(text).map((piece, at) => (
    // Pieces have no other identity than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Piece key={at} piece={piece} />
  ));
}

const FILE = /^\/v1\/files\/([A-Za-z0-9._-]{1,80})$/;

/** The picture that stands with a side. */
export function CardPicture({ address }: { address: string | null | undefined }) {
  const fileId = FILE.exec(address ?? "")?.[1];
  return fileId === undefined ? null : <Picture fileId={fileId} name={words.study_picture} />;
}

/** The picture of a question; of one with hidden parts, what is asked for stays covered until it is revealed. */
export function QuestionPicture({ card, isRevealed }: { card: Flashcard; isRevealed: boolean }) {
  const { occlusion, questionImage } = card;
  const picture = <CardPicture address={questionImage} />;
  if (!occlusion) return picture;
  return (
    <HiddenPicture occlusion={occlusion} isRevealed={isRevealed} askedLabel={words.study_hidden}>
      {picture}
    </HiddenPicture>
  );
}
