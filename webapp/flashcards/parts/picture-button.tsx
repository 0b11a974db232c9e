import { ImageOff, ImagePlus } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { chooseFile } from "#webapp/app/browser/choose-files.ts";
import { uploadCardPicture, removeCardPicture, type CardSideName } from "../card-pictures.ts";

interface Props {
  cardId: string;
  side: CardSideName;
  number: number;
  hasPicture: boolean;
}

export function PictureButton({ cardId, side, number, hasPicture }: Props) {
  return (
    <IconButton
      className="card-line-picture"
      label={t(`flashcards.picture_${hasPicture ? "remove" : "add"}_${side}`, { number })}
      icon={hasPicture ? <ImageOff aria-hidden /> : <ImagePlus aria-hidden />}
      onClick={() =>
        hasPicture
          ? removeCardPicture(cardId, side)
          : chooseFile("image/*", (file) => void uploadCardPicture(cardId, side, file))
      }
    />
  );
}
