import { useAtomValue } from "jotai/react";
import {
  CalendarOff,
  EyeOff,
  History,
  MoreHorizontal,
  Pencil,
  Star,
  ThumbsDown,
  ThumbsUp,
  Volume2,
} from "lucide-react";
import { useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { useRating } from "#webapp/feedback/use-rating.tsx";
import { favouritesOfDeck, toggleCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { buryCard, suspendCard } from "../session/card-changes.ts";
import { readAloudAtom, setReadAloud } from "../read-aloud.ts";
import { canSpeak } from "../speech.ts";
import type { Deck } from "#shared/study/deck/deck.ts";

interface Props {
  cardId: string;
  deck: Deck;
  hasAnswers: boolean;
  onEdit: () => void;
  onHistory: () => void;
  onReadAloud: () => void;
}

/** Menu actions to rate a card up or down, and the dialog that asks for the reason. */
function useCardThumbs(deck: Deck, cardId: string) {
  const card = deck.cards.find(({ id }) => id === cardId);
  const text = card ? `${card.question}\n${card.answer}` : "";
  const { rate, value, dialog } = useRating({ kind: "card", id: cardId, text });
  const thumbs = (["up", "down"] as const).map((thumb) => ({
    label: t(`rating.card_${thumb}`),
    icon: thumb === "up" ? <ThumbsUp aria-hidden /> : <ThumbsDown aria-hidden />,
    disabled: value === thumb,
    onSelect: () => void rate(thumb),
  }));
  return { thumbs, dialog };
}

/** Actions on the current card other than grading. */
export function CardMenu({ cardId, deck, hasAnswers, onEdit, onHistory, onReadAloud }: Props) {
  const isFavourite = useAtomValue(useMemo(() => favouritesOfDeck(deck.componentId), [deck.componentId])).has(cardId);
  const { thumbs, dialog } = useCardThumbs(deck, cardId);
  const isReadAloud = useAtomValue(readAloudAtom);
  return (
    <>
      <Menu
        trigger={<IconButton label={t("study.card_menu")} icon={<MoreHorizontal aria-hidden />} />}
        groups={[
          [
            { label: t("study.edit_card"), icon: <Pencil aria-hidden />, keys: "E", onSelect: onEdit },
            {
              label: t(isFavourite ? "modes.unfavourite" : "modes.favourite"),
              icon: <Star aria-hidden />,
              keys: "F",
              onSelect: () => void toggleCardFavourites(deck, new Set([cardId])),
            },
            {
              label: t("study.bury"),
              icon: <CalendarOff aria-hidden />,
              keys: "B",
              onSelect: () => void buryCard(cardId),
            },
            {
              label: t("study.suspend"),
              icon: <EyeOff aria-hidden />,
              keys: "S",
              onSelect: () => void suspendCard(cardId),
            },
          ],
          [
            {
              label: t("study.read_aloud"),
              icon: <Volume2 aria-hidden />,
              keys: "R",
              disabled: !canSpeak(),
              onSelect: onReadAloud,
            },
            {
              label: t(isReadAloud ? "modes.read_each_off" : "modes.read_each"),
              icon: <Volume2 aria-hidden />,
              disabled: !canSpeak(),
              onSelect: () => setReadAloud(!isReadAloud),
            },
            {
              label: t("study.session_answers"),
              icon: <History aria-hidden />,
              disabled: !hasAnswers,
              onSelect: onHistory,
            },
          ],
          thumbs,
        ]}
      />
      {dialog}
    </>
  );
}
