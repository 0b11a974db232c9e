import { useCallback, useMemo, useState } from "react";
import type { HelpRating } from "#shared/feedback/contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { useDebounced } from "../admin-frame.tsx";
import { CsvButton } from "../lists/csv-button.tsx";
import { PagedTable } from "../lists/paged-table.tsx";
import type { Column } from "../lists/stacked-table.tsx";

const columns = (): readonly Column<HelpRating>[] => [
  { title: t("admin.ratings_article"), cell: ({ path }) => <a href={path}>{path}</a> },
  { title: t("admin.ratings_yes"), cell: ({ yes }) => formatNumber(yes), isNumber: true },
  { title: t("admin.ratings_no"), cell: ({ no }) => formatNumber(no), isNumber: true },
];

const SHOWN = ["all", "rarely"] as const;
type Shown = (typeof SHOWN)[number];

/** How often help articles helped. */
export function HelpRatings() {
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState<Shown>("all");
  const q = useDebounced(query.trim());
  const filter = useMemo(() => ({ q, ...(shown === "rarely" && { helped: shown }) }), [q, shown]);
  const read = useCallback(
    async (after: string | undefined) => {
      const { ratings, next } = await client.feedback.listHelpRatings({
        ...filter,
        ...(after !== undefined && { after }),
      });
      return { items: ratings.map((rating) => ({ ...rating, _id: rating.path })), next };
    },
    [filter],
  );
  return (
    <section className="admin-section">
      <div className="admin-header">
        <h2>{t("admin.ratings_title")}</h2>
        <CsvButton name="help-ratings" read={() => adminClient.exportHelpRatings(filter)} />
      </div>
      <div className="admin-filters">
        <TextField
          label={t("admin.ratings_search")}
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Segmented
          label={t("admin.ratings_filter")}
          value={shown}
          options={SHOWN.map((value) => ({ value, label: t(`admin.ratings_${value}`) }))}
          onValue={setShown}
        />
      </div>
      <PagedTable
        label={t("admin.ratings_title")}
        columns={columns()}
        read={read}
        empty={{ title: t("admin.ratings_none"), text: t("admin.ratings_none_text") }}
      />
    </section>
  );
}
