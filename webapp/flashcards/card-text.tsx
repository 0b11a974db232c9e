import { t } from "#shared/messages/translate.ts";
import { cardFile, CardPieces, type CardParts } from "#shared/ui/content/card-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { useFile } from "#webapp/uploads/picture.ts";

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

const Formula: CardParts["Formula"] = ({ tex, isBlock }) => <Maths latex={tex} display={isBlock} />;

/** One side of a card, rendered with pictures, sound and formulas. */
export function CardText({ text }: { text: string }) {
  return <CardPieces text={text} parts={{ Picture, Sound, Formula, blank: t("study.blank") }} />;
}

/** The picture on one side of a card, from `questionImage` or `answerImage`. */
export function CardImage({ address }: { address: string | null | undefined }) {
  const fileId = cardFile(address);
  return fileId === undefined ? null : <Picture fileId={fileId} name={t("flashcards.picture")} />;
}
