import { useNavigate } from "@tanstack/react-router";
import { FilePlus2, FolderInput, FolderPlus, Headphones, MoreHorizontal, Palette, Sparkle, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { idsInFolder } from "#shared/library/rules.ts";
import { t } from "#shared/messages/translate.ts";
import { FolderColor, type Folder, type FolderItem } from "#shared/library/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { archiveFolder, updateFolder, createFolder, moveToFolder, nameFolder } from "../folders.ts";
import { MAX_SOURCES } from "#shared/podcasts/rules.ts";
import { type ChosenSource, openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { FolderIcon } from "#webapp/ui/sidebar/folder-icon.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { FolderSummary, StudyFolder, useTodayOnPages } from "./folder-today.tsx";

interface Props {
  folder: Folder;
  folders: readonly Folder[];
  onNewPage: () => void;
}

/** A folder's first documents, videos and research sessions, as sources of a podcast. */
const podcastSources = ({ items }: Folder): ChosenSource[] =>
  items
    .flatMap(({ item_id: id, item_type: type }): ChosenSource[] => {
      if (type === "component_pdf") return [{ type: "pdf", id }];
      if (type === "research_session") return [{ type: "research", id }];
      return type === "component_video" ? [{ type: "video", id }] : [];
    })
    .slice(0, MAX_SOURCES);

interface FolderMenuProps extends Record<"onColor" | "onAddFolder" | "onPodcast" | "onMove" | "onRemove", () => void> {
  /** Undefined for an empty folder, because the title comes from its contents. */
  onSuggest: (() => void) | undefined;
  suggestLabel: string;
}

function FolderMenu({ onColor, onSuggest, suggestLabel, onAddFolder, onPodcast, onMove, onRemove }: FolderMenuProps) {
  return (
    <Menu
      trigger={<IconButton label={t("library.folder_more")} icon={<MoreHorizontal aria-hidden />} />}
      groups={[
        [
          {
            label: t("library.folder_new_sub"),
            icon: <FolderPlus aria-hidden />,
            onSelect: onAddFolder,
          },
          { label: t("library.folder_podcast"), icon: <Headphones aria-hidden />, onSelect: onPodcast },
        ],
        [
          ...(onSuggest ? [{ label: suggestLabel, icon: <Sparkle aria-hidden />, onSelect: onSuggest }] : []),
          { label: t("library.folder_color"), icon: <Palette aria-hidden />, onSelect: onColor },
          {
            label: t("library.move_to_folder"),
            icon: <FolderInput aria-hidden />,
            onSelect: onMove,
          },
        ],
        [
          {
            label: t("library.folder_delete"),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: onRemove,
          },
        ],
      ]}
    />
  );
}

export function FolderHead({ folder, folders, onNewPage }: Props) {
  const { _id: id } = folder;
  const navigate = useNavigate();
  const countOnPages = useTodayOnPages();
  const today = countOnPages(idsInFolder(id, folders));
  const [isColoring, setColoring] = useState(false);
  const [itemsToFile, setItemsToFile] = useState<readonly FolderItem[]>();
  const parent = folders.find(({ items }) => items.some((item) => item.item_id === id));
  const [isNaming, setNaming] = useState(false);
  const suggestTitle = async () => {
    if (isNaming) return;
    setNaming(true);
    await nameFolder(id, true);
    setNaming(false);
  };
  const createSubfolder = async () => {
    const folderId = await createFolder("", folder.color);
    await moveToFolder(id, [{ item_id: folderId, item_type: "folder", created_at: Date.now() }]);
    await navigate({ to: screenPath("folder", { id: folderId }) });
  };
  const remove = async () => {
    await archiveFolder(id);
    await navigate({ to: parent ? screenPath("folder", { id: parent._id }) : screenPath("home", {}) });
  };
  return (
    <header className="folder-head">
      <div className="folder-title-line">
        <FolderIcon color={folder.color} />
        <TitleField folder={folder} />
        <span className="folder-naming" role="status">
          {isNaming && t("library.naming")}
        </span>
        <StudyFolder folder={folder} first={today.first} />
        <Button className="folder-new" icon={<FilePlus2 aria-hidden />} onClick={onNewPage}>
          {t("library.folder_new_page")}
        </Button>
        <FolderMenu
          onColor={() => setColoring(true)}
          onSuggest={folder.items.length > 0 ? () => void suggestTitle() : undefined}
          suggestLabel={t(folder.title === "" ? "library.folder_suggest" : "library.folder_suggest_again")}
          onAddFolder={() => void createSubfolder()}
          onPodcast={() => openPodcastDialog(podcastSources(folder))}
          onMove={() => setItemsToFile([{ item_id: id, item_type: "folder", created_at: folder.created_at }])}
          onRemove={() => void remove()}
        />
      </div>
      {folder.items.length > 0 && <FolderSummary folder={folder} counts={today} />}
      <Dialog
        open={isColoring}
        title={t("library.folder_color")}
        onClose={() => setColoring(false)}
        closeLabel={t("common.close")}
      >
        <Colors folder={folder} />
      </Dialog>
      <FolderPicker items={itemsToFile} from={parent?._id} onClose={() => setItemsToFile(undefined)} />
    </header>
  );
}

/** An untitled folder that is younger than this gets the focus in its title field. */
const NEW_FOLDER_MS = 5000;

/**
 * An inline field for the title, which is saved on blur or Enter and reset on Escape. A title that arrives meanwhile, such
 * as a generated one, does not replace what is being typed.
 */
function TitleField({ folder }: { folder: Folder }) {
  const { title: savedTitle, created_at: createdAt } = folder;
  const [title, setTitle] = useState(savedTitle);
  const [lastSavedTitle, setLastSavedTitle] = useState(savedTitle);
  /** The saved title when typing began. */
  const [titleBefore, setTitleBefore] = useState<string>();
  if (savedTitle !== lastSavedTitle) {
    setLastSavedTitle(savedTitle);
    if (titleBefore === undefined) setTitle(savedTitle);
  }
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (savedTitle === "" && Date.now() - createdAt < NEW_FOLDER_MS) field.current?.focus();
  }, [savedTitle, createdAt]);
  const save = () => {
    setTitleBefore(undefined);
    const next = title.trim();
    // Nothing was changed in the end, so a title that arrived meanwhile is shown.
    if (titleBefore === undefined || next === titleBefore) return setTitle(folder.title);
    return void updateFolder(folder._id, { title: next });
  };
  return (
    <h1 className="folder-title">
      <input
        ref={field}
        aria-label={t("library.folder_title")}
        value={title}
        maxLength={300}
        placeholder={t("library.folder_untitled")}
        onChange={(event) => {
          setTitle(event.target.value);
          setTitleBefore((before) => before ?? folder.title);
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key !== "Escape") return;
          setTitle(folder.title);
          setTitleBefore(undefined);
        }}
      />
    </h1>
  );
}

function Colors({ folder }: { folder: Folder }) {
  return (
    <fieldset className="folder-colors">
      <legend className="visually-hidden">{t("library.folder_color")}</legend>
      {FolderColor.options.map((color) => (
        <label key={color} data-color={color}>
          <input
            type="radio"
            name={`color-${folder._id}`}
            className="visually-hidden"
            checked={folder.color === color}
            onChange={() => void updateFolder(folder._id, { color })}
          />
          <span className="folder-color" aria-hidden />
          {t(`library.color_${color}`)}
        </label>
      ))}
    </fieldset>
  );
}
