import { useAtomValue } from "jotai/react";
import { FolderPlus, Import, MoreHorizontal } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, loadContent } from "./content.ts";
import { archivedFoldersAtom, createFolder } from "./folders.ts";
import { NARROW_LIST } from "#webapp/app/breakpoints.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { uploadToNewPages, UploadMenu } from "#webapp/uploads/parts/upload-menu.tsx";
import { useCreateAndOpen } from "#webapp/ui/sidebar/create-and-open.ts";
import { NewPageButton } from "#webapp/ui/sidebar/new-page-button.tsx";
import {
  toFolderItem,
  filterItems,
  listItems,
  type ItemQuery,
  type ItemFilter,
  type Item,
  type ItemSort,
} from "./items.ts";
import { FolderPicker } from "./parts/folder-picker.tsx";
import { ImportStrip } from "./parts/import-strip.tsx";
import { ItemRow } from "./parts/item-row.tsx";
import { PageGroup } from "./parts/page-group.tsx";
import { groupByPage, takeGroups, type ItemGroup } from "./page-groups.ts";
import { ListChoices, ListHead } from "./parts/list-controls.tsx";
import { RemovalDialog } from "./parts/removal-dialog.tsx";
import { SelectionBar } from "./parts/selection-bar.tsx";
import "./content-screen.css";

const kinds: readonly ItemFilter[] = ["all", "pages", "decks", "files", "archived"];
const orders: readonly ItemSort[] = ["edited", "opened", "created", "title"];
const filters = () => ({
  label: t("library.filter"),
  options: kinds.map((value) => ({ value, label: t(`library.${value}`) })),
});
const sorts = () => ({
  label: t("library.sort"),
  options: orders.map((value) => ({ value, label: t(`library.sort_${value}`) })),
});
/** Only this many rows are rendered at a time, because a whole library at once would block the screen. */
const ROWS_PER_STEP = 100;
const defaultQuery: ItemQuery = { filter: "all", sort: "edited", words: "" };

export function ContentScreen() {
  const content = useAtomValue(contentAtom);
  const archivedFolders = useAtomValue(archivedFoldersAtom);
  return (
    <div className="list-page">
      <ListHead title={t("library.title")}>
        <ContentActions />
      </ListHead>
      <ImportStrip />
      <UploadList />
      <DropAnywhere onFiles={uploadToNewPages} />
      <RemovalDialog />
      {content.state === "loading" && (
        <Skeleton label={t("common.loading")} lines={[100, 100, 100, 100, 100]} height={28} />
      )}
      {content.state === "failed" && (
        <ErrorState
          title={t("library.failed_title")}
          action={<Button onClick={() => void loadContent()}>{t("common.retry")}</Button>}
        >
          {t("library.failed_text")}
        </ErrorState>
      )}
      {content.state === "ready" && (
        <Items items={listItems(content.pages, content.components, archivedFolders, content)} />
      )}
    </div>
  );
}

const openImport = () => openOverlay("import");

/** On a phone, the less common actions are in a menu, so that all actions fit beside the title. */
function ContentActions() {
  const isNarrow = useMediaQuery(NARROW_LIST);
  const { create: createUntitledFolder, isCreating } = useCreateAndOpen(
    () => createFolder("", "BLUE"),
    (id) => screenPath("folder", { id }),
  );
  if (isNarrow)
    return (
      <>
        <UploadMenu />
        <NewPageButton variant="primary" />
        <Menu
          trigger={<IconButton label={t("library.more_actions")} icon={<MoreHorizontal aria-hidden />} />}
          groups={[
            [
              { label: t("library.new_folder"), icon: <FolderPlus aria-hidden />, onSelect: createUntitledFolder },
              { label: t("imports.open"), icon: <Import aria-hidden />, onSelect: openImport },
            ],
          ]}
        />
      </>
    );
  return (
    <>
      <Button variant="quiet" icon={<Import aria-hidden />} onClick={openImport}>
        {t("imports.open")}
      </Button>
      <Button variant="quiet" pending={isCreating} icon={<FolderPlus aria-hidden />} onClick={createUntitledFolder}>
        {t("library.new_folder")}
      </Button>
      <UploadMenu />
      <NewPageButton variant="primary" />
    </>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  const [choice, setChoice] = useState<ItemQuery>(defaultQuery);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [itemsToFile, setItemsToFile] = useState<readonly Item[]>();
  if (items.length === 0)
    return (
      <EmptyState
        title={t("library.empty_title")}
        action={<Button onClick={() => openOverlay("import")}>{t("imports.title")}</Button>}
      >
        {t("library.empty_text")}
      </EmptyState>
    );
  const shown = filterItems(items, choice);
  const rowProps = (item: Item) => ({
    isSelected: selected.has(item.id),
    onSelect: (isSelected: boolean) => setSelected(toggle(selected, item.id, isSelected)),
    onAddToFolder: (itemToFile: Item) => setItemsToFile([itemToFile]),
  });
  return (
    <>
      <ListChoices
        choice={choice}
        onChoice={setChoice}
        filters={filters()}
        sorts={sorts()}
        search={t("library.search")}
      />
      <SelectionBar
        count={shown.length}
        selected={shown.filter(({ id }) => selected.has(id))}
        onFile={setItemsToFile}
        onClear={() => setSelected(new Set())}
      />
      {shown.length > 0 ? (
        <Rows items={shown} choice={choice} rowProps={rowProps} />
      ) : (
        <NoMatches choice={choice} onClear={() => setChoice(defaultQuery)} />
      )}
      <FolderPicker
        items={itemsToFile?.flatMap((item) => toFolderItem(item) ?? [])}
        onClose={() => setItemsToFile(undefined)}
      />
    </>
  );
}

interface RowsProps {
  items: readonly Item[];
  choice: ItemQuery;
  rowProps: ComponentProps<typeof PageGroup>["rowProps"];
}

/** The items grouped by page. With a filter or a search they are not grouped, and every item names its page. */
function Rows({ items, choice, rowProps }: RowsProps) {
  const [rows, setRows] = useState(ROWS_PER_STEP);
  const isGrouped = choice.filter === "all" && choice.words.trim() === "";
  const groups = isGrouped
    ? groupByPage(items, choice.sort)
    : items.map((item): ItemGroup => ({ head: item, children: [] }));
  const { shown, rest } = takeGroups(groups, rows);
  return (
    <>
      <ul role="list" className="list-rows">
        {shown.map((group) =>
          isGrouped ? (
            <PageGroup key={group.head.id} group={group} rowProps={rowProps} />
          ) : (
            <ItemRow key={group.head.id} item={group.head} {...rowProps(group.head)} />
          ),
        )}
      </ul>
      {rest > 0 && (
        <Button onClick={() => setRows(rows + ROWS_PER_STEP)}>
          {t("library.show_more", { count: Math.min(ROWS_PER_STEP, rest) })}
        </Button>
      )}
    </>
  );
}

function toggle(selected: ReadonlySet<string>, id: string, isSelected: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  if (isSelected) next.add(id);
  else next.delete(id);
  return next;
}

function NoMatches({ choice, onClear }: { choice: ItemQuery; onClear: () => void }) {
  if (choice.filter === "archived" && choice.words === "")
    return <EmptyState title={t("library.archived_empty_title")}>{t("library.archived_empty_text")}</EmptyState>;
  return (
    <EmptyState title={t("library.none_title")} action={<Button onClick={onClear}>{t("library.clear")}</Button>}>
      {t("library.none_text")}
    </EmptyState>
  );
}
