import { useCallback } from "react";
import type { AdminGeneration } from "#shared/admin/lists-contract.ts";
import { formatDay } from "#shared/marketing/format-day.ts";
import { t } from "#shared/messages/translate.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { CsvButton } from "./parts/csv-button.tsx";
import { OpenedTable } from "./parts/opened-table.tsx";
import { type Column, PagedTable } from "./parts/paged-table.tsx";

const columns = (): readonly Column<AdminGeneration>[] => [
  { title: t("posts.date"), cell: ({ day }) => formatDay(day, document.documentElement.lang) },
  {
    title: t("lists.cards"),
    cell: ({ cards, isFailed }) => (isFailed ? t("lists.no_cards") : cards),
    isNumber: true,
  },
  {
    title: t("lists.rejected"),
    cell: ({ rejected }) => rejected.map(({ gate, count }) => `${gate} ${count}`).join(", ") || "–",
  },
  { title: t("lists.model"), cell: ({ model }) => model },
  { title: t("lists.version"), cell: ({ version }) => version },
];

/** `/admin/recent_flashcards`: how cards were made lately, and those that students shared. */
export function GenerationsScreen() {
  const readGenerations = useCallback(async (after: string | undefined) => {
    const { generations, next } = await adminClient.listGenerations(after === undefined ? {} : { after });
    return { items: generations, next };
  }, []);
  const readCards = useCallback(async (after: string | undefined) => {
    const { cards, next } = await adminClient.listSharedCards(after === undefined ? {} : { after });
    return { items: cards, next };
  }, []);
  return (
    <AdminFrame
      tab="adminFlashcards"
      actions={<CsvButton name="flashcards" read={() => adminClient.exportGenerations({})} />}
    >
      <p>{t("lists.generations_text")}</p>
      <PagedTable
        label={t("lists.generations")}
        columns={columns()}
        read={readGenerations}
        empty={{ title: t("lists.generations_none"), text: t("lists.generations_none_text") }}
      />
      <section className="admin-section">
        <div className="admin-header">
          <h2>{t("lists.shared_cards")}</h2>
          <CsvButton name="shared-cards" read={() => adminClient.exportSharedCards({})} />
        </div>
        <OpenedTable label={t("lists.shared_cards")} read={readCards} />
      </section>
    </AdminFrame>
  );
}
