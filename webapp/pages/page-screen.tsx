import { useAtomValue, useSetAtom } from "jotai/react";
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type RefObject,
} from "react";
import { DeckContent, DEFAULT_DECK_TITLE, type Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { openDocumentAt } from "#webapp/library/citation-navigation.ts";
import { openPagePortAtom, PagePortProvider, type BlockKinds, type PagePort } from "./page-port.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { LinkDialog } from "#webapp/uploads/parts/link-dialog.tsx";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { addUploads } from "#webapp/uploads/uploads.ts";
import { highlightCitation, type CitationTarget } from "./highlight-citation.ts";
import type { SelectedText } from "./editor/formatting.ts";
import { startLastLine } from "./editor/commands.ts";
import { useFocusMode } from "./focus-mode.ts";
import type { PageSession } from "./session/page-session.ts";
import { PageQuotes } from "./page-quotes.ts";
import { PageEditor } from "./parts/page-editor.tsx";
import { PageHistory } from "./parts/history/page-history.tsx";
import { PageHeading } from "./parts/page-heading.tsx";
import { TopBar } from "./parts/top-bar.tsx";
import { listCardSources } from "./page-sources.ts";
import { listPictures } from "./pictures.ts";
import { addDeck, newId, openPage, openPageAtom, retryPage, type OpenPage } from "./session/open-page.ts";
import "./page-screen.css";

const OutlinePanel = lazy(async () => ({ default: (await import("./parts/outline-panel.tsx")).OutlinePanel }));

/** The file that cards are made from; undefined to choose it in the dialog. */
export interface MakerRequest {
  chosen: string | undefined;
}

interface Props {
  pageId: string;
  /** The cited passage in the URL. */
  citationTarget?: CitationTarget | undefined;
  /** Renderers by block type; other features contribute theirs. */
  kinds: BlockKinds;
  /** The card generation dialog, provided by another feature. */
  Maker: ComponentType<{ chosen: string | undefined; onClose: () => void }>;
  /** Opens the card generation dialog at once. */
  makerRequest?: MakerRequest | undefined;
  selection?: SelectionActions;
}

/** What other features do with selected text. */
interface SelectionActions {
  onAsk: (selected: SelectedText) => void;
  onMakeCard: (selected: SelectedText, port: PagePort, pageTitle: string) => void;
}

const noActions: SelectionActions = { onAsk: () => undefined, onMakeCard: () => undefined };

function PageStatus({ open }: { open: Exclude<OpenPage, { state: "ready" }> }) {
  const home = (
    <ButtonLink variant="primary" href={screenPath("home", {})}>
      {t("pages.back_home")}
    </ButtonLink>
  );
  const retry = <Button onClick={() => retryPage(open.pageId)}>{t("common.retry")}</Button>;
  switch (open.state) {
    case "loading":
      return <Skeleton label={t("pages.loading")} lines={[44, 100, 96, 98, 60]} height={18} />;
    case "missing":
      return (
        <EmptyState headingLevel={1} title={t("pages.missing_title")} action={home}>
          {t("pages.missing")}
        </EmptyState>
      );
    case "offline":
      return (
        <EmptyState headingLevel={1} title={t("pages.offline_title")} action={retry}>
          {t("pages.offline")}
        </EmptyState>
      );
    case "failed":
      return (
        <ErrorState headingLevel={1} title={t("pages.failed_title")} action={retry}>
          {t("pages.failed")}
        </ErrorState>
      );
    default:
      return open.state satisfies never;
  }
}

function addCardToPage(session: PageSession, card: Flashcard, newDeck: string): void {
  const deck = session.blocks().find(({ type }) => type === "flash_cards");
  const content = deck && DeckContent.safeParse(session.contentOf(deck._id) ?? deck.content).data;
  if (deck && content) session.edit(deck._id, { ...content, cards: [...content.cards, card] });
  else
    session.append({
      _id: newId(),
      type: "flash_cards",
      content: DeckContent.parse({ title: newDeck, cards: [card] }),
    });
}

function createPagePort(session: PageSession, pageId: string, askForCards: PagePort["openCardGenerator"]): PagePort {
  return {
    pageId,
    listSources: () => listCardSources(session.blocks(), (id) => session.contentOf(id)),
    listPictures: () => listPictures(session.blocks().map(({ _id }) => session.contentOf(_id))),
    getText: () => session.text(),
    quotes: new PageQuotes(session),
    addDeck: (title, signal) => addDeck(session, title, signal),
    addCard: (card, newDeck) => addCardToPage(session, card, newDeck),
    addBlocks: (blocks) => blocks.forEach((block) => session.append(block)),
    getContent: (id) => session.contentOf(id),
    receive: (id, content, version) => session.receive(id, content, version),
    openFile: (id) => openDocumentAt(screenPath("pdf", { slug: id })),
    openCardGenerator: askForCards,
  };
}

const hideHint = () => void changePreferences((all) => ({ ...all, hidePageOnboarding: true }));

function EmptyHint({ onUpload, onMake }: { onUpload: () => void; onMake: () => void }) {
  return (
    <EmptyState
      title={t("pages.empty_title")}
      action={
        <>
          <Button onClick={onUpload}>{t("pages.upload")}</Button>
          <Button variant="quiet" onClick={onMake}>
            {t("pages.make_cards")}
          </Button>
          <Button variant="quiet" onClick={hideHint}>
            {t("pages.empty_hide")}
          </Button>
        </>
      }
    >
      {t("pages.empty")}
    </EmptyState>
  );
}

/** Creates the port of a page, which panels next to the page can access while it is open. */
function usePagePort(session: PageSession, pageId: string, askForCards: PagePort["openCardGenerator"]): PagePort {
  const pagePort = useMemo(() => createPagePort(session, pageId, askForCards), [session, pageId, askForCards]);
  const setOpenPagePort = useSetAtom(openPagePortAtom);
  useEffect(() => {
    setOpenPagePort(pagePort);
    return () => setOpenPagePort(null);
  }, [pagePort, setOpenPagePort]);
  return pagePort;
}

/** The caret position when the link dialog was opened; its results are inserted there. */
interface LinkPosition {
  take: (files: readonly File[]) => void;
  after: string | undefined;
}

interface LinkDialogHostProps {
  position: LinkPosition;
  pageId: string;
  session: PageSession;
  onClose: () => void;
}

function LinkDialogHost({ position, pageId, session, onClose }: LinkDialogHostProps) {
  return (
    <LinkDialog
      onClose={onClose}
      onFiles={position.take}
      pageId={pageId}
      onVideo={(component) => session.insertStored(component, { after: position.after, before: undefined })}
    />
  );
}

const insertDeck = (session: PageSession) =>
  session.insertAtCaret({
    _id: newId(),
    type: "flash_cards",
    content: { title: DEFAULT_DECK_TITLE, cards: [], minimized: false },
  });

/** Highlights the cited passage while the URL names it. */
function useHighlightCitation(session: PageSession, citationTarget: CitationTarget | undefined): void {
  const { componentId, quote, arrival } = citationTarget ?? {};
  useEffect(
    () => (componentId === undefined ? undefined : highlightCitation(session, { componentId, quote, arrival })),
    [session, componentId, quote, arrival],
  );
}

/** A press on the empty space below the last block starts a line there; returns the ref of the page's element. */
function useWriteBelow(session: PageSession): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = main.current;
    const onPress = (event: MouseEvent) => {
      const view = session.editor?.view;
      const isSpace = event.target === element || event.target === view?.dom;
      const bottom = view?.dom.lastElementChild?.getBoundingClientRect().bottom;
      if (!view || event.button !== 0 || !isSpace || bottom === undefined || event.clientY <= bottom) return;
      event.preventDefault();
      startLastLine(view.state, view.dispatch);
      view.focus();
    };
    element?.addEventListener("mousedown", onPress, true);
    return () => element?.removeEventListener("mousedown", onPress, true);
  }, [session]);
  return main;
}

/** Null until the editor is mounted, from which the dialog reads the page's files and text. */
function useMakerRequest(session: PageSession, initial: MakerRequest | undefined) {
  const [request, setRequest] = useState<MakerRequest | null>(initial ?? null);
  const hasEditor = useSyncExternalStore(session.subscribe, session.hasEditor);
  return [hasEditor ? request : null, setRequest] as const;
}

type ReadyProps = { open: Extract<OpenPage, { state: "ready" }> } & Omit<Props, "pageId">;

function ReadyPage({ open, citationTarget, kinds, Maker, makerRequest: initial, selection = noActions }: ReadyProps) {
  const { pageId, page, session } = open;
  const { onAsk: ask, onMakeCard } = selection;
  const [makerRequest, setMakerRequest] = useMakerRequest(session, initial);
  const askForCards = useCallback((chosen: string | undefined) => setMakerRequest({ chosen }), [setMakerRequest]);
  const pagePort = usePagePort(session, pageId, askForCards);
  const [isOutlineOpen, setOutlineOpen] = useState(false);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const isEmpty = useSyncExternalStore(session.subscribe, session.isEmpty);
  const isHintShown = !useAtomValue(preferencesAtom).hidePageOnboarding;
  const [linking, setLinking] = useState<LinkPosition | null>(null);
  /** Captures the caret position now, because uploads may take long. */
  const captureUploadPosition = () => {
    const after = session.caretBlockId();
    return (files: readonly File[]) => void addUploads(files, { pageId, after });
  };
  const makeCards = () => setMakerRequest({ chosen: undefined });
  const upload = () => pickFiles({ onFiles: captureUploadPosition() });
  const uploadAtCaret = (files: readonly File[]) => captureUploadPosition()(files);
  useTitle(page.title || t("pages.untitled"));
  useHighlightCitation(session, citationTarget);
  const main = useWriteBelow(session);

  return (
    <PagePortProvider value={pagePort}>
      <TopBar
        page={page}
        session={session}
        onUpload={upload}
        onPhoto={() => pickFiles({ onFiles: captureUploadPosition(), isPhoto: true })}
        onLink={() => setLinking({ take: captureUploadPosition(), after: session.caretBlockId() })}
        onMake={makeCards}
        onHistory={() => setHistoryOpen(true)}
        onOutline={() => setOutlineOpen((isOpenNow) => !isOpenNow)}
      />
      {isOutlineOpen && (
        <Suspense>
          <OutlinePanel session={session} onClose={() => setOutlineOpen(false)} />
        </Suspense>
      )}
      <main ref={main} className="page-main" data-empty={isEmpty}>
        <PageHeading page={page} onDone={() => session.focus()} />
        <UploadList pageId={pageId} />
        <PageHistory pageId={pageId} session={session} isOpen={isHistoryOpen} onClose={() => setHistoryOpen(false)} />
        <PageEditor
          pageId={pageId}
          session={session}
          kinds={kinds}
          dropFiles={uploadAtCaret}
          selectionActions={{ ask, makeCard: (text) => onMakeCard(text, pagePort, page.title) }}
          actions={{ upload, makeCards, addDeck: () => insertDeck(session) }}
        />
        {isEmpty && isHintShown && <EmptyHint onUpload={upload} onMake={makeCards} />}
      </main>
      <DropAnywhere onFiles={uploadAtCaret} />
      {linking && (
        <LinkDialogHost position={linking} pageId={pageId} session={session} onClose={() => setLinking(null)} />
      )}
      {makerRequest && <Maker chosen={makerRequest.chosen} onClose={() => setMakerRequest(null)} />}
    </PagePortProvider>
  );
}

export function PageScreen({ pageId, ...props }: Props) {
  const open = useAtomValue(openPageAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useFocusMode(useAtomValue(preferencesAtom).labs.one_block);
  useEffect(() => (accountId === undefined ? undefined : openPage(pageId)), [pageId, accountId]);
  if (open?.state === "ready" && open.pageId === pageId) return <ReadyPage key={pageId} open={open} {...props} />;
  const shown = open && open.state !== "ready" && open.pageId === pageId ? open : { state: "loading" as const, pageId };
  return (
    <main className="page-main">
      <PageStatus open={shown} />
    </main>
  );
}
