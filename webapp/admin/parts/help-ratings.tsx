import { useCallback, useState } from "react";
import type { HelpRating } from "#shared/feedback/contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
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

/** How often help articles helped. */
export function HelpRatings() {
  const [query, setQuery] = useState("");
  const settled = useDebounced(query.trim());
  const read = useCallback(
    async (after: string | undefined) => {
      const { ratings, next } = await client.feedback.listHelpRatings({
        q: settled,
        ...(after !== undefined && { after }),
      });
      return { items: ratings.map((rating) => ({ ...rating, _id: rating.path })), next };
    },
    [settled],
  );
  return (
    <section className="admin-section">
      <div className="admin-header">
        <h2>{t("admin.ratings_title")}</h2>
        <CsvButton name="help-ratings" read={() => adminClient.exportHelpRatings({ q: settled })} />
      </div>
      <TextField
        label={t("admin.ratings_search")}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <PagedTable
        label={t("admin.ratings_title")}
        columns={columns()}
        read={read}
        empty={{ title: t("admin.ratings_none"), text: t("admin.ratings_none_text") }}
      />
    </section>
  );
}
