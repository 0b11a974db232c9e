import { useCallback, useState } from "react";
import { SUBSCRIPTION_STATES, type SubscriptionStart } from "#shared/admin/lists-contract.ts";
import { Recurrence } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { LineChart } from "#shared/ui/charts/line-chart.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { shareFormat } from "./format-figures.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";

const formatDays = (count: number | null, otherwise: string) =>
  count === null ? otherwise : t("lists.days", { count });

const columnsAt = (now: number): readonly Column<SubscriptionStart>[] => [
  { title: t("lists.started"), cell: ({ createdAt }) => formatRelativeDate(createdAt, now) },
  {
    title: t("lists.after_sign_up"),
    cell: ({ daysAfterSignUp }) => formatDays(daysAfterSignUp, "–"),
    isNumber: true,
  },
  {
    title: t("lists.first_limit"),
    cell: ({ firstLimit }) => (firstLimit === null ? "–" : t(`admin.used_${firstLimit}`)),
  },
  {
    title: t("lists.recurrence"),
    cell: ({ recurrence }) => (recurrence === null ? "–" : t(`lists.recurrence_${recurrence}`)),
  },
  {
    title: t("lists.lasted"),
    cell: ({ durationDays }) => formatDays(durationDays, t("lists.still_running")),
    isNumber: true,
  },
];

const readChurn = async () => (await adminClient.getChurn({})).curves;

/** The share of subscriptions that still run after each month; hidden with fewer than two months. */
function Churn() {
  const { answer, retry } = useAsyncValue(readChurn);
  if (answer.state === "loading") return null;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  const curves = answer.value;
  const months = Math.max(0, ...curves.map(({ points }) => points.length));
  if (months < 2) return null;
  return (
    <section className="admin-section">
      <h2>{t("lists.churn")}</h2>
      <div className="admin-metrics">
        <section className="admin-metric">
          <LineChart
            label={t("lists.churn")}
            nameHead={t("lists.month")}
            names={Array.from({ length: months }, (_, month) => t("lists.month_number", { month }))}
            series={curves.map(({ recurrence, points }) => ({
              name: t(`lists.recurrence_${recurrence}`),
              values: Array.from({ length: months }, (_, month) => points[month]?.running ?? null),
            }))}
            format={shareFormat.show}
            ceiling={shareFormat.ceiling}
          />
          <p className="admin-quiet">{t("lists.churn_text")}</p>
        </section>
      </div>
    </section>
  );
}

type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

const toFilter = (state: SubscriptionState | "all", recurrence: Recurrence | "all") => ({
  ...(state !== "all" && { state }),
  ...(recurrence !== "all" && { recurrence }),
});

/** `/admin/subscription_timing`: how long after signing up accounts started to pay, and for how long. */
export function SubscriptionTimingScreen() {
  const now = useNow();
  const [state, setState] = useState<SubscriptionState | "all">("all");
  const [recurrence, setRecurrence] = useState<Recurrence | "all">("all");
  const read = useCallback(
    async (after: string | undefined) => {
      const { starts, next } = await adminClient.listSubscriptionStarts({
        ...toFilter(state, recurrence),
        ...(after !== undefined && { after }),
      });
      return { items: starts, next };
    },
    [state, recurrence],
  );
  return (
    <AdminFrame
      tab="adminTiming"
      actions={
        <CsvButton
          name="subscription-timing"
          read={() => adminClient.exportSubscriptionStarts(toFilter(state, recurrence))}
        />
      }
    >
      <p>{t("lists.timing_text")}</p>
      <Churn />
      <div className="admin-filters">
        <Segmented
          label={t("lists.state")}
          value={state}
          options={(["all", ...SUBSCRIPTION_STATES] as const).map((value) => ({
            value,
            label: t(`lists.subscriptions_${value}`),
          }))}
          onValue={setState}
        />
        <Segmented
          label={t("lists.recurrence")}
          value={recurrence}
          options={(["all", ...Recurrence.options] as const).map((value) => ({
            value,
            label: value === "all" ? t("lists.subscriptions_all") : t(`lists.recurrence_${value}`),
          }))}
          onValue={setRecurrence}
        />
      </div>
      <PagedTable
        label={t("lists.timing")}
        columns={columnsAt(now)}
        read={read}
        empty={{ title: t("lists.timing_none"), text: t("lists.timing_none_text") }}
      />
    </AdminFrame>
  );
}
