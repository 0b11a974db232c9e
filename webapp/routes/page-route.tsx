import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { livePagesAtom } from "#webapp/library/content.ts";
import { DeckBlock } from "#webapp/flashcards/deck-block.tsx";
import { HideHost } from "#webapp/flashcards/hide-host.tsx";
import { MakerDialog } from "#webapp/flashcards/parts/maker-dialog.tsx";
import { VideoBlock } from "#webapp/video/video-block.tsx";
import { useScreenParams } from "#webapp/app/screen-params.ts";
import { AnswerBlock, ChatBlock } from "#webapp/tutor/message-blocks.tsx";
import { BesideTutor } from "#webapp/tutor/tutor-panel.tsx";
import type { Cited } from "#webapp/pages/cited.ts";
import { PageScreen } from "#webapp/pages/page-screen.tsx";
import { CodeBlock } from "#webapp/pages/parts/blocks/code-block.tsx";
import { EquationBlock } from "#webapp/pages/parts/blocks/equation-block.tsx";
import { FileBlock } from "#webapp/pages/parts/blocks/file-block.tsx";
import { DividerBlock } from "#webapp/pages/parts/blocks/plain-blocks.tsx";

/** Each block type is rendered by its own feature; they are combined here. */
const kinds = {
  flash_cards: DeckBlock,
  image: FileBlock,
  video: VideoBlock,
  divider: DividerBlock,
  code_block: CodeBlock,
  equation: EquationBlock,
  chat: ChatBlock,
  assistant_message: AnswerBlock,
};

/** A quote that looks like a number is parsed as one from the query string. */
const wordsOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

function citedIn(search: Record<string, unknown>): Cited | undefined {
  const componentId = wordsOf(search["component"]);
  return componentId === undefined ? undefined : { componentId, quote: wordsOf(search["quote"]) };
}

interface Beside {
  pageId: string;
  cited?: Cited | undefined;
  isTogether?: boolean;
}

/** A page with the tutor next to it. */
export function PageWithTutor({ pageId, cited, isTogether = false }: Beside) {
  const pages = useAtomValue(livePagesAtom);
  const title = pages.find(({ _id }) => _id === pageId)?.title || t("tutor.ground_page");
  return (
    <BesideTutor key={pageId} isTogether={isTogether} beside={{ kind: "page", id: pageId, title }}>
      <HideHost />
      <PageScreen pageId={pageId} cited={cited} kinds={kinds} Maker={MakerDialog} />
    </BesideTutor>
  );
}

export function PageRoute() {
  const { id } = useScreenParams("page");
  const search: Record<string, unknown> = useSearch({ strict: false });
  return <PageWithTutor pageId={id} cited={citedIn(search)} />;
}
