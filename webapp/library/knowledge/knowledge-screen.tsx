import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { onUploaded } from "#webapp/uploads/uploads.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { uploadToNewPages, UploadMenu } from "#webapp/uploads/parts/upload-menu.tsx";
import { filterSources, type KnowledgeChoice, type KnowledgeFilter, type KnowledgeSort } from "./knowledge.ts";
import { isAnyTranscribing, type Knowledge, knowledgeAtom, loadKnowledge, retryKnowledge } from "./knowledge-state.ts";
import { ListChoices, ListHead } from "../parts/list-controls.tsx";
import { SourceRow } from "../parts/source-row.tsx";
import "./knowledge-screen.css";

const kinds: readonly KnowledgeFilter[] = ["all", "documents", "images", "videos"];
const orders: readonly KnowledgeSort[] = ["added", "opened", "title", "size"];
const filters = () => ({
  label: t("sources.filter"),
  options: kinds.map((value) => ({ value, label: t(`sources.${value}`) })),
});
const sorts = () => ({
  label: t("sources.sort"),
  options: orders.map((value) => ({ value, label: t(`sources.sort_${value}`) })),
});
const defaultQuery: KnowledgeChoice = { filter: "all", sort: "added", words: "" };
/** Only this many rows are rendered at a time, because each row requests its source's reading state. */
const ROWS_PER_STEP = 30;
const POLL_INTERVAL_MS = 4_000;

export function KnowledgeScreen() {
  const knowledge = useAtomValue(knowledgeAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const load = () => void loadKnowledge();
    load();
    window.addEventListener("online", load);
    // Transcription takes minutes, so its state is polled.
    const pollTimer = setInterval(() => {
      if (isAnyTranscribing()) load();
    }, POLL_INTERVAL_MS);
    const stop = onUploaded(load);
    return () => {
      window.removeEventListener("online", load);
      clearInterval(pollTimer);
      stop();
    };
  }, [accountId]);
  return (
    <div className="list-page knowledge">
      <ListHead title={t("sources.title")}>
        <UploadMenu variant="primary" />
      </ListHead>
      <p className="knowledge-intro">{t("sources.intro")}</p>
      <UploadList />
      <DropAnywhere onFiles={uploadToNewPages} />
      <Body knowledge={knowledge} />
    </div>
  );
}

function Body({ knowledge }: { knowledge: Knowledge }) {
  const retry = <Button onClick={retryKnowledge}>{t("common.retry")}</Button>;
  switch (knowledge.state) {
    case "loading":
      return <Skeleton label={t("common.loading")} lines={[100, 100, 100, 100]} height={64} />;
    case "offline":
      return (
        <EmptyState title={t("sources.offline_title")} action={retry}>
          {t("sources.offline_text")}
        </EmptyState>
      );
    case "failed":
      return (
        <ErrorState title={t("sources.failed_title")} action={retry}>
          {t("sources.failed_text")}
        </ErrorState>
      );
    case "ready":
      return knowledge.sources.length === 0 ? (
        <EmptyState title={t("sources.empty_title")}>{t("sources.empty_text")}</EmptyState>
      ) : (
        <Sources sources={knowledge.sources} />
      );
    default:
      return knowledge satisfies never;
  }
}

function Sources({ sources }: { sources: readonly KnowledgeSource[] }) {
  const [choice, setChoice] = useState<KnowledgeChoice>(defaultQuery);
  const [shown, setShown] = useState(ROWS_PER_STEP);
  const chosen = filterSources(sources, choice);
  return (
    <>
      <ListChoices
        choice={choice}
        onChoice={setChoice}
        filters={filters()}
        sorts={sorts()}
        search={t("sources.search")}
      />
      <p className="knowledge-count" role="status">
        {t("sources.count", { count: chosen.length })}
      </p>
      {chosen.length === 0 ? (
        <EmptyState
          title={t("sources.none_title")}
          action={<Button onClick={() => setChoice(defaultQuery)}>{t("sources.clear")}</Button>}
        >
          {t("sources.none_text")}
        </EmptyState>
      ) : (
        <ul role="list" className="list-rows">
          {chosen.slice(0, shown).map((source) => (
            <SourceRow key={source.componentId} source={source} />
          ))}
        </ul>
      )}
      {chosen.length > shown && <Button onClick={() => setShown(shown + ROWS_PER_STEP)}>{t("sources.more")}</Button>}
    </>
  );
}
