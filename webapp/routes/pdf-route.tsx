import { useSearch } from "@tanstack/react-router";
import { Layers, MessageSquareText, Volume2 } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import type { DocumentPanel, SelectionAction } from "#webapp/pdf/document-port.tsx";
import { store } from "#webapp/app/store.ts";
import { tutorSelectionAtom } from "#webapp/tutor/tutor-selection.ts";
import { TutorLayout } from "#webapp/tutor/tutor-panel.tsx";
import { readToMe } from "#webapp/podcasts/read-to-me.ts";
import { useArrival } from "#webapp/app/hooks/use-arrival.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { cardDraftAtom } from "#webapp/flashcards/card-draft.ts";
import { CardDraftHost } from "#webapp/flashcards/card-draft-host.tsx";
import { DocumentCards } from "#webapp/flashcards/deck/document-cards.tsx";
import { ImageOcclusionHost } from "#webapp/flashcards/image-occlusion-host.tsx";
import { PdfScreen } from "#webapp/pdf/pdf-screen.tsx";

const componentIdOf = (slug: string) => slug.split("/").at(-1) ?? slug;

const selectionActions: readonly SelectionAction[] = [
  {
    id: "card",
    label: t("pages.format_card"),
    icon: <Layers aria-hidden />,
    key: "c",
    isFirst: true,
    run: ({ quote, citation, pageId, source, findBox }) =>
      store.set(cardDraftAtom, {
        text: quote,
        citation,
        pageId,
        newDeck: source.replace(/\.[a-z0-9]{1,8}$/iu, ""),
        findBox,
      }),
  },
  {
    id: "tutor",
    label: t("tutor.ask_about"),
    icon: <MessageSquareText aria-hidden />,
    run: ({ quote, page }) => store.set(tutorSelectionAtom, { text: quote.slice(0, 8000), page }),
  },
  {
    id: "read",
    label: t("podcasts.read"),
    icon: <Volume2 aria-hidden />,
    run: ({ quote }) => readToMe(quote),
  },
];

const panels: readonly DocumentPanel[] = [{ id: "cards", label: t("flashcards.document_cards"), Panel: DocumentCards }];

/** A document with the panels and selection actions of other features. */
export function PdfRoute() {
  const { slug } = useScreenParams("pdf");
  const search: Record<string, unknown> = useSearch({ strict: false });
  const page = Number(search["page"]);
  const quote = search["quote"];
  const arrival = useArrival();
  const componentId = componentIdOf(slug);
  return (
    <TutorLayout
      key={componentId}
      startsClosed
      source={{ kind: "file", id: componentId, title: t("tutor.scope_file") }}
    >
      <ImageOcclusionHost />
      <CardDraftHost />
      <PdfScreen
        componentId={componentId}
        actions={selectionActions}
        panels={panels}
        arrival={arrival}
        page={Number.isInteger(page) && page >= 1 ? page : undefined}
        quote={typeof quote === "string" || typeof quote === "number" ? String(quote) : undefined}
      />
    </TutorLayout>
  );
}
