import type { FigureWeek } from "#shared/admin/figures-contract.ts";
import { ratingsByGroup } from "#shared/admin/quality.ts";
import { RATED_KINDS } from "#shared/feedback/contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { shareFormat } from "../format-figures.ts";
import { PlainTable } from "./plain-table.tsx";

const kindName = (kind: string) => {
  const known = RATED_KINDS.find((one) => one === kind);
  return known ? t(`figures.kind_${known}`) : kind;
};

/** Thumbs by what was rated, model and version: whether a change of either was one for the better. */
export function RatingGroups({ weeks }: { weeks: readonly FigureWeek[] }) {
  const groups = ratingsByGroup(weeks);
  if (groups.length === 0) return null;
  return (
    <PlainTable
      label={t("figures.thumbs_by_group")}
      head={[
        t("figures.kind"),
        t("figures.model"),
        t("figures.version"),
        t("figures.thumb_up"),
        t("figures.thumb_down"),
        t("figures.metric_thumbsUp"),
      ]}
      rows={groups.map(({ kind, model, version, up, down }) => [
        kindName(kind),
        model,
        version,
        formatNumber(up),
        formatNumber(down),
        shareFormat.show(up / (up + down)),
      ])}
    />
  );
}
