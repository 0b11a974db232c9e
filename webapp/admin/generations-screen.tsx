import { useCallback, useState } from "react";
import type { AdminGeneration } from "#shared/admin/lists-contract.ts";
import { qualityBySource } from "#shared/admin/quality.ts";
import { formatDay } from "#shared/marketing/format-day.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame, LoadError, useDebounced } from "./admin-frame.tsx";
import { shareFormat } from "./format-figures.ts";
import { gateName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { ConversationTable } from "./parts/conversation-table.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import { type Column, StackedTable } from "./lists/stacked-table.tsx";
import { type Thumb, ThumbFilter } from "./parts/thumb-filter.tsx";

const KINDS = ["pdf", "video", "text", "mixed"] as const;
const sourceName = (source: string) => {
  const known = KINDS.find((kind) => kind === source);
  return known ? t(`lists.kind_${known}`) : source || "–";
};

const columns = (): readonly Column<AdminGeneration>[] => [
  { title: t("posts.date"), cell: ({ day }) => formatDay(day, document.documentElement.lang) },
  {
    title: t("lists.cards"),
    cell: ({ cards, isFailed }) => (isFailed ? t("lists.no_cards") : cards),
    isNumber: true,
  },
  {
    title: t("lists.rejected"),
    cell: ({ rejected }) =>
      rejected.map(({ gate, count }) => `${gateName(gate)} ${formatNumber(count)}`).join(", ") || "–",
    isProse: true,
  },
  { title: t("lists.source"), cell: ({ source }) => sourceName(source) },
  { title: t("lists.model"), cell: ({ model }) => model },
  { title: t("lists.version"), cell: ({ version }) => version },
];

/** `/admin/recent_flashcards`: recent card generations, and the cards that students shared. */
export function GenerationsScreen() {
  const [model, setModel] = useState("");
  const [isFailed, setFailed] = useState(false);
  const debouncedModel = useDebounced(model.trim());
  const readGenerations = useCallback(
    async (after: string | undefined) => {
      const filter = toFilter(debouncedModel, isFailed);
      const { generations, next } = await adminClient.listGenerations({
        ...filter,
        ...(after !== undefined && { after }),
      });
      return { items: generations, next };
    },
    [debouncedModel, isFailed],
  );
  return (
    <AdminFrame
      tab="adminFlashcards"
      actions={
        <CsvButton name="flashcards" read={() => adminClient.exportGenerations(toFilter(debouncedModel, isFailed))} />
      }
    >
      <SourceTable />
      <p>{t("lists.generations_text")}</p>
      <div className="admin-filters">
        <TextField
          label={t("lists.model")}
          type="search"
          value={model}
          onChange={(event) => setModel(event.target.value)}
        />
        <Segmented
          label={t("lists.cards")}
          value={isFailed ? "failed" : "all"}
          options={(["all", "failed"] as const).map((value) => ({ value, label: t(`lists.made_${value}`) }))}
          onValue={(value) => setFailed(value === "failed")}
        />
      </div>
      <PagedTable
        label={t("lists.generations")}
        columns={columns()}
        read={readGenerations}
        empty={{ title: t("lists.generations_none"), text: t("lists.generations_none_text") }}
      />
      <SharedCards />
    </AdminFrame>
  );
}

const toFilter = (model: string, isFailed: boolean) => ({ model, ...(isFailed && { isFailed: "yes" as const }) });

function SharedCards() {
  const [thumb, setThumb] = useState<Thumb>("all");
  const filter = thumb === "all" ? {} : { thumb };
  const read = useCallback(
    async (after: string | undefined) => {
      const { cards, next } = await adminClient.listSharedCards({
        ...(thumb !== "all" && { thumb }),
        ...(after !== undefined && { after }),
      });
      return { items: cards, next };
    },
    [thumb],
  );
  return (
    <section className="admin-section">
      <div className="admin-header">
        <h2>{t("lists.shared_cards")}</h2>
        <CsvButton name="shared-cards" read={() => adminClient.exportSharedCards(filter)} />
      </div>
      <ThumbFilter value={thumb} onValue={setThumb} />
      <ConversationTable label={t("lists.shared_cards")} read={read} />
    </section>
  );
}

const SOURCE_WEEKS = 8;
const readWeeks = async () => (await adminClient.getFigures({ weeks: SOURCE_WEEKS })).weeks;

const sourceColumns = (): readonly Column<ReturnType<typeof qualityBySource>[number]>[] => [
  { title: t("lists.source"), cell: ({ source }) => sourceName(source) },
  { title: t("lists.runs"), cell: ({ generations }) => formatNumber(generations), isNumber: true },
  { title: t("lists.cards"), cell: ({ cards }) => formatNumber(cards), isNumber: true },
  { title: t("lists.rejected"), cell: ({ rejected }) => formatNumber(rejected), isNumber: true },
  {
    title: t("figures.metric_cardsUnchanged"),
    cell: ({ unchanged }) => (unchanged === null ? "–" : shareFormat.show(unchanged)),
    isNumber: true,
  },
];

/** How many cards were generated, rejected and left unchanged, for each kind of source. */
function SourceTable() {
  const now = useNow();
  const { answer, retry } = useAsyncValue(readWeeks);
  if (answer.state === "loading") return null;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  const sources = qualityBySource(answer.value, now);
  if (sources.length === 0) return null;
  return (
    <section className="admin-section">
      <h2>{t("lists.by_source")}</h2>
      <StackedTable
        label={t("lists.by_source")}
        columns={sourceColumns()}
        items={sources}
        keyOf={({ source }) => source}
      />
    </section>
  );
}
