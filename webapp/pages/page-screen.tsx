import { useAtomValue, useSetAtom } from "jotai/react";
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore, type ComponentType } from "react";
import { DEFAULT_DECK_TITLE } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { openDocumentAt } from "#webapp/library/citation-door.ts";
import { openDoorAtom, PageDoorProvider, type BlockKinds, type PageDoor } from "./page-door.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/title.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { LinkDialog } from "#webapp/uploads/parts/link-dialog.tsx";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { lightCited, type Cited } from "./cited.ts";
import { useOneBlock } from "./one-block.ts";
import type { PageSession } from "./session/page-session.ts";
import { PageQuotes } from "./quotes.ts";
import { PageEditor } from "./parts/page-editor.tsx";
import { PageHistory } from "./parts/page-history.tsx";
import { PageHeading } from "./parts/page-heading.tsx";
import { TopBar } from "./parts/top-bar.tsx";
import { sourcesIn } from "./page-sources.ts";
import { picturesIn } from "./pictures.ts";
import { addDeck, newId, openPage, openPageAtom, retryPage, uploadFiles, type OpenPage } from "./session/state.ts";
import "./page-screen.css";

const OutlinePanel = lazy(async () => ({ default: (await import("./parts/outline-panel.tsx")).OutlinePanel }));

interface Props {
  pageId: string;
  /** The cited passage in the URL. */
  cited?: Cited | undefined;
  /** Renderers by block type; other features contribute theirs. */
  kinds: BlockKinds;
  /** The card generation dialog, provided by another feature. */
  Maker: ComponentType<{ chosen: string | undefined; onClose: () => void }>;
}

function NotReady({ open }: { open: Exclude<OpenPage, { state: "ready" }> }) {
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

function makeDoor(session: PageSession, pageId: string, askForCards: PageDoor["askForCards"]): PageDoor {
  return {
    pageId,
    sources: () => sourcesIn(session.blocks(), (id) => session.contentOf(id)),
    pictures: () => picturesIn(session.blocks().map(({ _id }) => session.contentOf(_id))),
    text: () => session.text(),
    quotes: new PageQuotes(session),
    addDeck: (title) => addDeck(session, title),
    addBlocks: (blocks) => blocks.forEach((block) => session.append(block)),
    contentOf: (id) => session.contentOf(id),
    receive: (id, content, version) => session.receive(id, content, version),
    openFile: (id) => openDocumentAt(screenPath("pdf", { slug: id })),
    askForCards,
  };
}

const hideHelp = () => void changePreferences((all) => ({ ...all, hidePageOnboarding: true }));

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
          <Button variant="quiet" onClick={hideHelp}>
            {t("pages.empty_hide")}
          </Button>
        </>
      }
    >
      {t("pages.empty")}
    </EmptyState>
  );
}

/** Lets panels next to the page access it while it is open. */
function useOpenDoor(door: PageDoor): void {
  const setOpenDoor = useSetAtom(openDoorAtom);
  useEffect(() => {
    setOpenDoor(door);
    return () => setOpenDoor(null);
  }, [door, setOpenDoor]);
}

/** The caret position when the link dialog was opened; its results are inserted there. */
interface LinkPlace {
  take: (files: readonly File[]) => void;
  after: string | undefined;
}

interface LinkingProps {
  from: LinkPlace;
  pageId: string;
  session: PageSession;
  onClose: () => void;
}

function Linking({ from, pageId, session, onClose }: LinkingProps) {
  return (
    <LinkDialog
      onClose={onClose}
      onFiles={from.take}
      pageId={pageId}
      onVideo={(component) => session.insertStored(component, { after: from.after, before: undefined })}
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
function useCited(session: PageSession, cited: Cited | undefined): void {
  const { componentId, quote } = cited ?? {};
  useEffect(
    () => (componentId === undefined ? undefined : lightCited(session, { componentId, quote })),
    [session, componentId, quote],
  );
}

type ReadyProps = { open: Extract<OpenPage, { state: "ready" }> } & Omit<Props, "pageId">;

function ReadyPage({ open, cited, kinds, Maker }: ReadyProps) {
  const { pageId, page, session } = open;
  const [asked, setAsked] = useState<{ chosen: string | undefined } | null>(null);
  const door = useMemo(() => makeDoor(session, pageId, (chosen) => setAsked({ chosen })), [session, pageId]);
  useOpenDoor(door);
  const [isOutlineOpen, setOutlineOpen] = useState(false);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const isEmpty = useSyncExternalStore(session.subscribe, session.isEmpty);
  const isHelped = !useAtomValue(preferencesAtom).hidePageOnboarding;
  const [linking, setLinking] = useState<LinkPlace | null>(null);
  /** Captures the caret position now, because uploads may take long. */
  const takeBelow = () => {
    const after = session.caretBlockId();
    return (files: readonly File[]) => void uploadFiles(files, after);
  };
  const upload = () => pickFiles({ take: takeBelow() });
  const takeHere = (files: readonly File[]) => takeBelow()(files);
  useTitle(page.title || t("pages.untitled"));
  useCited(session, cited);

  return (
    <PageDoorProvider value={door}>
      <TopBar
        page={page}
        session={session}
        onUpload={upload}
        onPhoto={() => pickFiles({ take: takeBelow(), isPhoto: true })}
        onLink={() => setLinking({ take: takeBelow(), after: session.caretBlockId() })}
        onMake={() => setAsked({ chosen: undefined })}
        onHistory={() => setHistoryOpen(true)}
        onOutline={() => setOutlineOpen((isOpenNow) => !isOpenNow)}
      />
      {isOutlineOpen && (
        <Suspense>
          <OutlinePanel session={session} onClose={() => setOutlineOpen(false)} />
        </Suspense>
      )}
      <main className="page-main" data-empty={isEmpty}>
        <PageHeading page={page} onDone={() => session.focus()} />
        <UploadList pageId={pageId} />
        <PageHistory pageId={pageId} session={session} isOpen={isHistoryOpen} onClose={() => setHistoryOpen(false)} />
        <PageEditor
          pageId={pageId}
          session={session}
          kinds={kinds}
          dropFiles={takeHere}
          actions={{ upload, makeCards: () => setAsked({ chosen: undefined }), addDeck: () => insertDeck(session) }}
        />
        {isEmpty && isHelped && <EmptyHint onUpload={upload} onMake={() => setAsked({ chosen: undefined })} />}
      </main>
      <DropAnywhere onFiles={takeHere} />
      {linking && <Linking from={linking} pageId={pageId} session={session} onClose={() => setLinking(null)} />}
      {asked && <Maker chosen={asked.chosen} onClose={() => setAsked(null)} />}
    </PageDoorProvider>
  );
}

export function PageScreen({ pageId, cited, kinds, Maker }: Props) {
  const open = useAtomValue(openPageAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useOneBlock(useAtomValue(preferencesAtom).labs.one_block);
  useEffect(() => (accountId === undefined ? undefined : openPage(pageId)), [pageId, accountId]);
  if (open?.state === "ready" && open.pageId === pageId)
    return <ReadyPage key={pageId} open={open} cited={cited} kinds={kinds} Maker={Maker} />;
  const shown = open && open.state !== "ready" && open.pageId === pageId ? open : { state: "loading" as const, pageId };
  return (
    <main className="page-main">
      <NotReady open={shown} />
    </main>
  );
}
