import { useAtomValue } from "jotai/react";
import { Fragment, useEffect, type MouseEvent } from "react";
import type { Page } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { folderPathOf, foldersAtom, loadFolders } from "#webapp/library/folders.ts";

interface Step {
  to: string;
  title: string;
}

/** The folders that contain a page, outermost first. Loads them if no sidebar has done so. */
function useFolderPath(pageId: string): readonly Step[] {
  const folders = useAtomValue(foldersAtom);
  const accountId = useAtomValue(accountIdAtom);
  const isUnknown = folders === undefined;
  useEffect(() => {
    if (isUnknown && accountId !== undefined) void loadFolders();
  }, [isUnknown, accountId]);
  return folderPathOf(pageId, folders ?? []).map(({ _id: id, title }) => ({
    to: screenPath("folder", { id }),
    title: title || t("library.folder_untitled"),
  }));
}

const openStep = (to: string) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  goTo(to);
};

/** The path to a page: home, the folders that contain it, and its title. */
export function Breadcrumb({ page }: { page: Page }) {
  const steps = [{ to: screenPath("home", {}), title: t("pages.home") }, ...useFolderPath(page._id)];
  return (
    <nav aria-label={t("pages.breadcrumb")} className="top-bar-path">
      {steps.map(({ to, title }) => (
        <Fragment key={to}>
          <a href={to} onClick={openStep(to)}>
            <span className="top-bar-step">{title}</span>
          </a>
          <span aria-hidden>/</span>
        </Fragment>
      ))}
      <span className="top-bar-title" aria-current="page">
        {page.title || t("pages.untitled")}
      </span>
    </nav>
  );
}
