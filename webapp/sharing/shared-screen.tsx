import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { CopyPlus, Flag, Layers, ShieldOff } from "lucide-react";
import { useCallback, useEffect, useState, type ComponentProps, type ComponentType } from "react";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { SharedPodcast } from "#shared/podcasts/schema.ts";
import { screenPath } from "#shared/screens.ts";
import type { SharedItem } from "#shared/sharing/schema.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { copyAndOpen } from "./copy-shared.ts";
import { topicNames, shareTypeNames } from "./share-labels.ts";
import { LicenceLine } from "./parts/licence-line.tsx";
import { NextPart } from "./parts/next-part.tsx";
import { ReportDialog } from "./parts/report-dialog.tsx";
import { SharedFiles } from "./parts/shared-files.tsx";
import { SharedSite } from "./parts/shared-site.tsx";
import { findStudiedDeck, SharedBlocks, type SharedDocumentProps } from "./parts/shared-blocks.tsx";
import { TakeDownDialog } from "./parts/take-down-dialog.tsx";
import { useSharedParts } from "./use-shared-parts.ts";
import "#webapp/ui/wordmark.css";
import "./shared-screen.css";

const isNotFound = (error: unknown) => error instanceof Failure && error.code === "not_found";

type SharedDialog = "report" | "take_down";

interface Props {
  shareId: string;
  /** Renders a document. */
  Document: ComponentType<SharedDocumentProps>;
  /** Renders a podcast. */
  Podcast: ComponentType<{ podcast: SharedPodcast; title: string }>;
}

/** A shared item as anyone sees it, signed in or not. */
export function SharedScreen({ shareId, Document, Podcast }: Props) {
  const [isTakenDown, setTakenDown] = useState(false);
  const [dialog, setDialog] = useState<SharedDialog>();
  const load = useCallback(async () => {
    const { shared } = await client.sharing.openShare({ share: shareId });
    // Counting the view is best effort.
    client.sharing.recordView({ type: shared.type, id: shared.targetId }).catch(() => undefined);
    return shared;
  }, [shareId]);
  const { answer, retry } = useAsyncValue(load);
  const shared = answer.state === "ready" && !isTakenDown ? answer.value : undefined;
  return (
    <div className="shared">
      <header className="shared-bar">
        <a className="wordmark" href={screenPath("landing", {})}>
          {t("common.product")}
        </a>
        {shared && <Actions shared={shared} onAsk={setDialog} />}
      </header>
      <main className="shared-main" data-site={shared?.siteUrl !== undefined || undefined}>
        {shared ? (
          <SharedBody shared={shared} Document={Document} Podcast={Podcast} />
        ) : (
          <NothingShared
            isLoading={answer.state === "loading"}
            isMissing={isTakenDown || (answer.state === "failed" && isNotFound(answer.error))}
            onRetry={retry}
          />
        )}
      </main>
      {shared && (
        <Dialogs
          shareId={shareId}
          openDialog={dialog}
          onClose={() => setDialog(undefined)}
          onTakenDown={() => setTakenDown(true)}
        />
      )}
    </div>
  );
}

interface NothingSharedProps {
  isLoading: boolean;
  isMissing: boolean;
  onRetry: () => void;
}

/** The screen while the item loads, if it no longer exists, or if the request failed. */
function NothingShared({ isLoading, isMissing, onRetry }: NothingSharedProps) {
  if (isMissing)
    return (
      <EmptyState
        headingLevel={1}
        title={t("sharing.missing_title")}
        action={<ButtonLink href={screenPath("explore", {})}>{t("sharing.explore")}</ButtonLink>}
      >
        {t("sharing.missing")}
      </EmptyState>
    );
  if (isLoading) return <Skeleton label={t("common.loading")} lines={[50, 100, 96, 98, 60]} height={18} />;
  return (
    <ErrorState
      headingLevel={1}
      title={t("sharing.shared_failed_title")}
      action={<Button onClick={onRetry}>{t("common.retry")}</Button>}
    >
      {t("sharing.shared_failed")}
    </ErrorState>
  );
}

interface DialogsProps {
  shareId: string;
  openDialog: SharedDialog | undefined;
  onClose: () => void;
  onTakenDown: () => void;
}

function Dialogs({ shareId, openDialog, onClose, onTakenDown }: DialogsProps) {
  if (openDialog === "report") return <ReportDialog shareId={shareId} onClose={onClose} />;
  return openDialog && <TakeDownDialog shareId={shareId} onClose={onClose} onDone={onTakenDown} />;
}

interface BodyProps extends Omit<Props, "shareId"> {
  shared: SharedItem;
}

function SharedBody({ shared, ...renderers }: BodyProps) {
  if (shared.siteUrl !== undefined) return <SharedSite title={shared.title} siteUrl={shared.siteUrl} />;
  return <SharedContent shared={shared} {...renderers} />;
}

function SharedContent({ shared, Document, Podcast }: BodyProps) {
  const { _id, title, podcast } = shared;
  const { study }: Record<string, unknown> = useSearch({ strict: false });
  const [startsStudy, setStartsStudy] = useState(study !== undefined);
  const parts = useSharedParts(shared);
  const { components } = parts;
  useTitle(title || t("sharing.untitled"));
  const cardCount = findStudiedDeck(components)?.content.cards.length ?? 0;
  return (
    <SharedFiles shareId={_id}>
      <article>
        <SharedTitle shared={shared} />
        {cardCount > 0 && !startsStudy && (
          <Button icon={<Layers aria-hidden />} onClick={() => setStartsStudy(true)}>
            {t("sharing.study_cards", { count: cardCount })}
          </Button>
        )}
        {podcast && <Podcast podcast={podcast} title={title} />}
        {components.length === 0 && !podcast && <p>{t("sharing.empty")}</p>}
        <Parts shareId={_id} parts={parts} startsStudy={startsStudy} Document={Document} />
        <LicenceLine shared={shared} />
      </article>
    </SharedFiles>
  );
}

interface PartsProps extends Pick<Props, "shareId" | "Document"> {
  parts: ReturnType<typeof useSharedParts>;
  startsStudy: boolean;
}

function Parts({ shareId, parts: { components, hasNext, state, loadNext }, startsStudy, Document }: PartsProps) {
  const load = () => void loadNext();
  // Loads up to the first deck before showing anything, because a session that starts later would interrupt reading.
  if (startsStudy && hasNext && !findStudiedDeck(components)) return <DeckSearch state={state} onLoad={load} />;
  return (
    <>
      <SharedBlocks shareId={shareId} components={components} startsStudy={startsStudy} Document={Document} />
      {hasNext && <NextPart state={state} onLoad={load} />}
    </>
  );
}

/** Loads one part after the other. After a failure, only the button loads again. */
function DeckSearch({ state, onLoad }: ComponentProps<typeof NextPart>) {
  useEffect(() => {
    if (state === "idle") onLoad();
  }, [state, onLoad]);
  if (state === "failed") return <NextPart state={state} onLoad={onLoad} />;
  return <Skeleton label={t("common.loading")} lines={[100, 96, 60]} height={18} />;
}

const SharedTitle = ({ shared: { type, topic, emoji, title, description } }: { shared: SharedItem }) => (
  <>
    <p className="shared-kind">
      {shareTypeNames[type]}
      {topic !== "other" && ` · ${topicNames[topic]}`}
    </p>
    <h1 className="shared-title" dir="auto">
      {emoji && <span aria-hidden>{emoji} </span>}
      {title || t("sharing.untitled")}
    </h1>
    {description !== "" && <p className="shared-about">{description}</p>}
  </>
);

/** Copies the shared item; visitors without an account sign in first and return here. */
function Actions({ shared, onAsk }: { shared: SharedItem; onAsk: (dialog: SharedDialog) => void }) {
  const user = useAtomValue(userAtom);
  const [isCopying, setCopying] = useState(false);
  const { type, targetId } = shared;
  const copy = async () => {
    if (!user) {
      const sharePath = screenPath("share", { share: shared._id });
      return goTo(`${screenPath("login", {})}?for=copy&from=${encodeURIComponent(sharePath)}`);
    }
    setCopying(true);
    await copyAndOpen(type, targetId);
    return setCopying(false);
  };
  return (
    <div className="shared-actions">
      {user?.isAdmin && (
        <Button variant="quiet" icon={<ShieldOff aria-hidden />} onClick={() => onAsk("take_down")}>
          {t("sharing.take_down")}
        </Button>
      )}
      <Button variant="quiet" icon={<Flag aria-hidden />} onClick={() => onAsk("report")}>
        {t("sharing.report")}
      </Button>
      {type !== "podcast" && type !== "website_project" && (
        <Button variant="primary" icon={<CopyPlus aria-hidden />} pending={isCopying} onClick={() => void copy()}>
          {t(isCopying ? "sharing.copying" : "sharing.copy")}
        </Button>
      )}
    </div>
  );
}
