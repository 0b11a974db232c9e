import {
  Copy,
  Download,
  FlipHorizontal2,
  List,
  ListChecks,
  MoreHorizontal,
  Printer,
  Shapes,
  Undo2,
  Upload,
} from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { NARROW_LIST } from "#webapp/app/breakpoints.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { STUDY_MODES } from "#webapp/study/study-mode.ts";
import { usePinItem } from "#webapp/library/use-pin-item.tsx";
import { exportAnki, mergeDeck, type OpenDeck } from "../deck/deck-state.ts";
import { exportText } from "../export-text.ts";

interface Props {
  deck: OpenDeck;
  isDuplicates: boolean;
  onDuplicates: () => void;
  onImport: () => void;
  onList: () => void;
  onUndo: () => void;
}

const modeIcons = {
  flip: <FlipHorizontal2 aria-hidden />,
  quiz: <ListChecks aria-hidden />,
  match: <Shapes aria-hidden />,
};

/** Actions for the whole deck. */
export function DeckMenu({ deck, isDuplicates, onDuplicates, onImport, onList, onUndo }: Props) {
  const { componentId, pageId, title: deckTitle } = deck;
  const printPath = screenPath("printFlashcards", { id: pageId, flashcard: componentId });
  const pinning = usePinItem({ id: componentId, kind: "deck", title: deckTitle, emoji: null, pageId });
  const mergeItems = deck.otherDecks.map((other) => ({
    label: t("flashcards.merge", { title: other.title }),
    onSelect: () => void mergeDeck(other.componentId),
  }));
  // A wide window shows the modes beside the menu.
  const isNarrow = useMediaQuery(NARROW_LIST);
  const study = screenPath("study", { id: pageId, flashcard: componentId });
  const modes = STUDY_MODES.filter((mode) => mode !== "learn").map((mode) => ({
    label: t(`modes.${mode}`),
    icon: modeIcons[mode],
    onSelect: () => goTo(`${study}?mode=${mode}`),
  }));
  const download = <Download aria-hidden />;
  return (
    <Menu
      trigger={<IconButton label={t("flashcards.menu")} icon={<MoreHorizontal aria-hidden />} />}
      groups={[
        isNarrow ? modes : [],
        [
          { label: t("common.undo"), icon: <Undo2 aria-hidden />, onSelect: onUndo },
          {
            label: t(isDuplicates ? "flashcards.show_every" : "flashcards.find_duplicates"),
            icon: <Copy aria-hidden />,
            onSelect: onDuplicates,
          },
          pinning,
        ],
        [
          { label: t("cardDialogs.list_cards"), icon: <List aria-hidden />, onSelect: onList },
          { label: t("flashcards.import"), icon: <Upload aria-hidden />, onSelect: onImport },
          { label: t("flashcards.print"), icon: <Printer aria-hidden />, onSelect: () => goTo(printPath) },
        ],
        [
          { label: t("flashcards.export_anki"), icon: download, onSelect: () => void exportAnki("old") },
          { label: t("flashcards.export_anki_new"), icon: download, onSelect: () => void exportAnki("new") },
          { label: t("flashcards.export_csv"), icon: download, onSelect: () => exportText(deck, "csv") },
          { label: t("flashcards.export_tsv"), icon: download, onSelect: () => exportText(deck, "tsv") },
          { label: t("flashcards.export_markdown"), icon: download, onSelect: () => exportText(deck, "markdown") },
          { label: t("flashcards.export_quizlet"), icon: download, onSelect: () => exportText(deck, "quizlet") },
        ],
        ...(mergeItems.length > 0 ? [mergeItems] : []),
      ]}
    />
  );
}
