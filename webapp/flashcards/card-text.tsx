import { t } from "#shared/messages/translate.ts";
import { cardFileId, CardPieces, type CardRenderers } from "#shared/ui/content/card-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { useFileUrl } from "#webapp/uploads/file-urls.ts";

function Picture({ fileId, name }: { fileId: string; name: string }) {
  const url = useFileUrl(fileId);
  if (url === undefined) return <span className="card-picture-wait">{name}</span>;
  return <img className="card-picture" src={url} alt={name} />;
}

function Sound({ fileId }: { fileId: string }) {
  const url = useFileUrl(fileId);
  return url === undefined ? null : (
    <audio className="card-sound" controls src={url} aria-label={t("flashcards.sound")} />
  );
}

const Formula: CardRenderers["Formula"] = ({ tex, isBlock }) => <Maths latex={tex} display={isBlock} />;

/** One side of a card, rendered with pictures, sound and formulas. */
export function CardText({ text }: { text: string }) {
  return <CardPieces text={text} renderers={{ Picture, Sound, Formula, blankLabel: t("study.blank") }} />;
}

/** The picture on one side of a card, from `questionImage` or `answerImage`. */
export function CardImage({ address }: { address: string | null | undefined }) {
  const fileId = cardFileId(address);
  return fileId === undefined ? null : <Picture fileId={fileId} name={t("flashcards.picture")} />;
}
