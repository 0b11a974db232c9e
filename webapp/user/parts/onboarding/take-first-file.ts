import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";

/** The first of the dropped files, because the first page is made from one. Says so if there are more. */
export function takeFirstFile([file, ...others]: readonly File[]): File | undefined {
  if (file && others.length > 0) notify({ type: "info", message: t("welcome.only_one_file", { name: file.name }) });
  return file;
}
