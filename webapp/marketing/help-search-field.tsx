import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { HelpSearch } from "#shared/ui/content/help-search.tsx";
import { logWarning } from "#webapp/app/log.ts";

const findIndex = async () => `/help/search.json?lang=${documentLanguage().slice(0, 2)}`;

const logError = (error: unknown) => logWarning("The help could not be searched", error);

export function HelpSearchField() {
  const words = {
    label: t("marketing.help_search"),
    failed: t("marketing.help_failed"),
    found: (count: number) => t("marketing.help_found", { count }),
  };
  return <HelpSearch findIndex={findIndex} words={words} onError={logError} />;
}
