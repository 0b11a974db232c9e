import { useEffect, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { cardFileId, CardPieces } from "#shared/ui/content/card-text.tsx";
import { HiddenPicture } from "#shared/ui/content/occlusion-picture.tsx";
import { client } from "#extension/app/client.ts";
import { words } from "#extension/words/words.ts";
import { Formula } from "#extension/ui/formula.tsx";

/** Object URL of an account's file, fetched with the account's token. */
function useFile(fileId: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let objectUrl: string | undefined;
    let isUnmounted = false;
    const show = async () => {
      const blob = await client.uploads.getFile({ fileId }).catch(() => undefined);
      if (!blob || isUnmounted) return;
      objectUrl = URL.createObjectURL(blob);
      setAddress(objectUrl);
    };
    void show();
    return () => {
      isUnmounted = true;
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [fileId]);
  return address;
}

function Picture({ fileId, name }: { fileId: string; name: string }) {
  const address = useFile(fileId);
  return address === undefined ? (
    <span className="card-picture-wait">{name}</span>
  ) : (
    <img className="card-picture" src={address} alt={name} />
  );
}

function Sound({ fileId, name }: { fileId: string; name: string }) {
  const address = useFile(fileId);
  return address === undefined ? (
    <span>{name}</span>
  ) : (
    <audio className="card-sound" controls src={address} aria-label={name} />
  );
}

const parts = { Picture, Sound, Formula, blankLabel: words.study_blank };

/** Renders one side of a card. */
export function CardText({ text }: { text: string }) {
  return <CardPieces text={text} renderers={parts} />;
}

/** The image of a card side. */
export function CardPicture({ address }: { address: string | null | undefined }) {
  const fileId = cardFileId(address);
  return fileId === undefined ? null : <Picture fileId={fileId} name={words.study_picture} />;
}

/** The question's image; with an occlusion, the hidden region is covered until revealed. */
export function QuestionPicture({ card, isRevealed }: { card: Flashcard; isRevealed: boolean }) {
  const { occlusion, questionImage } = card;
  const picture = <CardPicture address={questionImage} />;
  if (!occlusion) return picture;
  return (
    <HiddenPicture occlusion={occlusion} isRevealed={isRevealed} targetLabel={words.study_hidden}>
      {picture}
    </HiddenPicture>
  );
}
