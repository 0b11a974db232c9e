import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { livePagesAtom } from "#webapp/library/content.ts";
import { DeckBlock } from "#webapp/flashcards/deck/deck-block.tsx";
import type { ComponentProps } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { pageCitation } from "#shared/citations.ts";
import { store } from "#webapp/app/store.ts";
import { cardDraftAtom } from "#webapp/flashcards/card-draft.ts";
import { CardDraftHost } from "#webapp/flashcards/card-draft-host.tsx";
import { tutorSelectionAtom } from "#webapp/tutor/tutor-selection.ts";
import { ImageOcclusionHost } from "#webapp/flashcards/image-occlusion-host.tsx";
import { CardMakerDialog } from "#webapp/flashcards/parts/card-maker/card-maker-dialog.tsx";
import { VideoBlock } from "#webapp/video/video-block.tsx";
import { useArrival } from "#webapp/app/hooks/use-arrival.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { AnswerBlock, ChatBlock } from "#webapp/tutor/message-blocks.tsx";
import { TutorLayout } from "#webapp/tutor/tutor-panel.tsx";
import type { CitationTarget } from "#webapp/pages/highlight-citation.ts";
import { PageScreen, type MakerRequest } from "#webapp/pages/page-screen.tsx";
import { CodeBlock } from "#webapp/pages/parts/blocks/code-block.tsx";
import { EquationBlock } from "#webapp/pages/parts/blocks/equation-block.tsx";
import { FileBlock } from "#webapp/pages/parts/blocks/file-block.tsx";
import { TableBlock } from "#webapp/pages/parts/blocks/table-block.tsx";
import { DividerBlock } from "#webapp/pages/parts/blocks/plain-blocks.tsx";

/** The components for the block types. Each belongs to its own feature, and this route combines them. */
const kinds = {
  text: TableBlock,
  flash_cards: DeckBlock,
  image: FileBlock,
  video: VideoBlock,
  divider: DividerBlock,
  code_block: CodeBlock,
  equation: EquationBlock,
  chat: ChatBlock,
  assistant_message: AnswerBlock,
};

/** Of a longer selection, only the beginning is cited. */
const MAX_QUOTE_CHARS = 1000;
const MAX_ASKED_CHARS = 8000;

/** The router parses a quote that looks like a number as a number. */
const toText = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

function parseCited(search: Record<string, unknown>, arrival: number | undefined): CitationTarget | undefined {
  const componentId = toText(search["component"]);
  return componentId === undefined ? undefined : { componentId, quote: toText(search["quote"]), arrival };
}

/** `?make=cards` opens the card maker, with `&from=` a file of the page preselected. */
const parseMakerRequest = (search: Record<string, unknown>): MakerRequest | undefined =>
  search["make"] === "cards" ? { chosen: toText(search["from"]) } : undefined;

interface PageWithTutorProps {
  pageId: string;
  cited?: CitationTarget | undefined;
  isCanvas?: boolean;
  /** Opens the dialog that makes cards. */
  makerRequest?: MakerRequest | undefined;
}

/** A page with the tutor next to it. */
export function PageWithTutor({ pageId, cited, isCanvas = false, makerRequest }: PageWithTutorProps) {
  const pages = useAtomValue(livePagesAtom);
  const title = pages.find(({ _id }) => _id === pageId)?.title || t("tutor.scope_page");
  const selection: ComponentProps<typeof PageScreen>["selection"] = {
    onAsk: ({ text }) => store.set(tutorSelectionAtom, { text: text.slice(0, MAX_ASKED_CHARS) }),
    onMakeCard: ({ text, componentId, findBox }, port, pageTitle) => {
      const newDeck = pageTitle || t("pages.untitled");
      const citation = pageCitation(pageId, componentId, text.slice(0, MAX_QUOTE_CHARS));
      const addToOpenPage = (card: Flashcard) => port.addCard(card, newDeck);
      store.set(cardDraftAtom, { text, citation, pageId, newDeck, findBox, addToOpenPage });
    },
  };
  return (
    <TutorLayout key={pageId} isCanvas={isCanvas} source={{ kind: "page", id: pageId, title }}>
      <ImageOcclusionHost />
      <CardDraftHost />
      <PageScreen
        pageId={pageId}
        citationTarget={cited}
        kinds={kinds}
        Maker={CardMakerDialog}
        makerRequest={makerRequest}
        selection={selection}
      />
    </TutorLayout>
  );
}

export function PageRoute() {
  const { id } = useScreenParams("page");
  const search: Record<string, unknown> = useSearch({ strict: false });
  const arrival = useArrival();
  return <PageWithTutor pageId={id} cited={parseCited(search, arrival)} makerRequest={parseMakerRequest(search)} />;
}
