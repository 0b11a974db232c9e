import { DEMOGRAPHICS, type Demographic } from "#shared/admin/lists-contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { FigureTable } from "#shared/ui/charts/figure-table.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { planName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";

const readDemographics = async () => (await adminClient.getDemographics({})).demographics;

/** `/admin/user_demographics`: accounts in groups, each too large to identify a student. */
export function DemographicsScreen() {
  const { answer, retry } = useAsyncValue(readDemographics);
  return (
    <AdminFrame
      tab="adminDemographics"
      actions={<CsvButton name="demographics" read={() => adminClient.exportDemographics({})} />}
    >
      <p>{t("lists.demographics_text")}</p>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={48} />}
      {answer.state === "failed" && <LoadError error={answer.error} onRetry={retry} />}
      {answer.state === "ready" &&
        DEMOGRAPHICS.map((name) => (
          <section key={name} className="admin-section">
            <h2>{t(`lists.group_${name}`)}</h2>
            <Groups title={t(`lists.group_${name}`)} demographic={answer.value[name]} />
          </section>
        ))}
    </AdminFrame>
  );
}

const groupNames: Readonly<Record<string, () => string>> = {
  en: () => t("posts.language_en"),
  de: () => t("posts.language_de"),
  system: () => t("lists.group_system"),
  other: () => t("lists.group_rest"),
  EMAIL_PASSWORD: () => t("lists.group_password"),
  GOOGLE_OAUTH_2: () => "Google",
  APPLE: () => "Apple",
  REFERRAL: () => t("lists.group_referral"),
};

function Groups({ title, demographic: { groups, hasSmall } }: { title: string; demographic: Demographic }) {
  const rows = groups.map(({ name, accounts }) => [groupNames[name]?.() ?? planName(name), formatNumber(accounts)]);
  if (hasSmall) rows.push([t("lists.group_small"), t("lists.group_under")]);
  return (
    <FigureTable
      className="admin-table admin-numbers"
      caption={title}
      head={[t("lists.group"), t("admin.accounts")]}
      rows={rows}
    />
  );
}
