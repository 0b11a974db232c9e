import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Segmented } from "#shared/ui/segmented.tsx";
import { Select } from "#shared/ui/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/text-field.tsx";
import { accountIdAtom } from "#webapp/kit/account-atom.ts";
import { onUploaded } from "#webapp/kit/uploads.ts";
import { DropAnywhere } from "#webapp/ui/drop-anywhere.tsx";
import { UploadList } from "#webapp/ui/upload-list.tsx";
import { uploadLoose, UploadMenu } from "#webapp/ui/upload-menu.tsx";
import { chosenSources, type KnowledgeChoice, type KnowledgeFilter, type KnowledgeSort } from "./knowledge.ts";
import { type Knowledge, knowledgeAtom, loadKnowledge, retryKnowledge } from "./knowledge-state.ts";
import { SourceRow } from "./parts/source-row.tsx";
import "./knowledge-screen.css";

const filters: readonly KnowledgeFilter[] = ["all", "documents", "images", "videos"];
const sorts: readonly KnowledgeSort[] = ["added", "opened", "title", "size"];
const untouched: KnowledgeChoice = { filter: "all", sort: "added", words: "" };
/** So many rows at a time: each asks how far its source was read. */
const STEP = 30;

export function KnowledgeScreen() {
  const knowledge = useAtomValue(knowledgeAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const load = () => void loadKnowledge();
    load();
    window.addEventListener("online", load);
    const stop = onUploaded(load);
    return () => {
      window.removeEventListener("online", load);
      stop();
    };
  }, [accountId]);
  return (
    <div className="knowledge">
      <header className="knowledge-head">
        <h1>{t("knowledge.title")}</h1>
        <UploadMenu variant="primary" />
      </header>
      <p className="knowledge-intro">{t("knowledge.intro")}</p>
      <UploadList />
      <DropAnywhere onFiles={uploadLoose} />
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
        <EmptyState title={t("knowledge.offline_title")} action={retry}>
          {t("knowledge.offline_text")}
        </EmptyState>
      );
    case "failed":
      return (
        <ErrorState title={t("knowledge.failed_title")} action={retry}>
          {t("knowledge.failed_text")}
        </ErrorState>
      );
    case "ready":
      return knowledge.sources.length === 0 ? (
        <EmptyState title={t("knowledge.empty_title")}>{t("knowledge.empty_text")}</EmptyState>
      ) : (
        <Sources sources={knowledge.sources} />
      );
    default:
      return knowledge satisfies never;
  }
}

function Sources({ sources }: { sources: readonly KnowledgeSource[] }) {
  const [choice, setChoice] = useState<KnowledgeChoice>(untouched);
  const [shown, setShown] = useState(STEP);
  const chosen = chosenSources(sources, choice);
  return (
    <>
      <Choices choice={choice} onChoice={setChoice} />
      <p className="knowledge-count" role="status">
        {t("knowledge.count", { count: chosen.length })}
      </p>
      {chosen.length === 0 ? (
        <EmptyState
          title={t("knowledge.none_title")}
          action={<Button onClick={() => setChoice(untouched)}>{t("knowledge.clear")}</Button>}
        >
          {t("knowledge.none_text")}
        </EmptyState>
      ) : (
        <ul role="list" className="knowledge-list">
          {chosen.slice(0, shown).map((source) => (
            <SourceRow key={source.componentId} source={source} />
          ))}
        </ul>
      )}
      {chosen.length > shown && <Button onClick={() => setShown(shown + STEP)}>{t("knowledge.more")}</Button>}
    </>
  );
}

function Choices({ choice, onChoice }: { choice: KnowledgeChoice; onChoice: (choice: KnowledgeChoice) => void }) {
  return (
    <div className="knowledge-choices">
      <Segmented
        label={t("knowledge.filter")}
        value={choice.filter}
        options={filters.map((value) => ({ value, label: t(`knowledge.${value}`) }))}
        onValue={(filter) => onChoice({ ...choice, filter })}
      />
      <div className="knowledge-narrow">
        <TextField
          label={t("knowledge.search")}
          labelHidden
          type="search"
          placeholder={t("knowledge.search")}
          value={choice.words}
          onChange={(event) => onChoice({ ...choice, words: event.target.value })}
        />
        <Select
          label={t("knowledge.sort")}
          labelHidden
          value={choice.sort}
          options={sorts.map((value) => ({ value, label: t(`knowledge.sort_${value}`) }))}
          onValue={(sort) => onChoice({ ...choice, sort })}
        />
      </div>
    </div>
  );
}
