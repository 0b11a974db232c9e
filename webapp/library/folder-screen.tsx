import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Folder } from "#shared/library/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, createPage } from "./content.ts";
import { foldersAtom, foldersFailedAtom, loadFolders, moveToFolder, nameFolder } from "./folders.ts";
import { indexLibraryItems } from "./library-items.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { FolderHead } from "./parts/folder-head.tsx";
import { FolderItems } from "./parts/folder-items.tsx";
import "./folder-screen.css";

export function FolderScreen() {
  const { id } = useScreenParams("folder");
  const folders = useAtomValue(foldersAtom);
  const haveFailed = useAtomValue(foldersFailedAtom);
  const navigate = useNavigate();
  const folder = folders?.find(({ _id }) => _id === id);
  if (folders === undefined) return <Skeleton label={t("common.loading")} lines={[40, 100, 100, 100]} height={24} />;
  if (!folder && haveFailed)
    return (
      <ErrorState
        title={t("library.folders_failed")}
        action={<Button onClick={() => void loadFolders()}>{t("common.retry")}</Button>}
      >
        {t("library.failed_text")}
      </ErrorState>
    );
  if (!folder)
    return (
      <EmptyState
        title={t("library.folder_missing_title")}
        action={<Button onClick={() => void navigate({ to: screenPath("content", {}) })}>{t("library.title")}</Button>}
      >
        {t("library.folder_missing_text")}
      </EmptyState>
    );
  return <FolderContent key={id} folder={folder} folders={folders} />;
}

function FolderContent({ folder, folders }: { folder: Folder; folders: readonly Folder[] }) {
  const content = useAtomValue(contentAtom);
  const libraryItems = useMemo(() => indexLibraryItems(content), [content]);
  const navigate = useNavigate();
  const createPageInFolder = async () => {
    const id = await createPage();
    await moveToFolder(folder._id, [{ item_id: id, item_type: "page", created_at: Date.now() }]);
    await navigate({ to: screenPath("page", { id }) });
  };
  useAutoName(folder);
  const isEmpty = !folder.items.some(
    ({ item_id: id }) => libraryItems.has(id) || folders.some((other) => other._id === id),
  );
  return (
    <div className="folder">
      <FolderHead folder={folder} folders={folders} onNewPage={() => void createPageInFolder()} />
      {content.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={28} />}
      {content.state !== "loading" &&
        (isEmpty ? (
          <EmptyState
            title={t("library.folder_empty_title")}
            action={<Button onClick={() => void createPageInFolder()}>{t("library.folder_new_page")}</Button>}
          >
            {t("library.folder_empty_text")}
          </EmptyState>
        ) : (
          <FolderItems folder={folder} folders={folders} libraryItems={libraryItems} />
        ))}
    </div>
  );
}

/** The minimum number of items from which a folder's name can be generated. */
const MIN_ITEMS_TO_NAME = 2;

/** Names an untitled folder from its contents, but only once, because a student who clears the title wants no title. */
function useAutoName({ _id, title, items }: Folder): void {
  const needsName = title === "" && items.length >= MIN_ITEMS_TO_NAME;
  useEffect(() => {
    if (needsName) void nameFolder(_id, false);
  }, [_id, needsName]);
}
