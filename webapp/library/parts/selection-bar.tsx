import { FolderInput, Trash2, X } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import type { Item } from "../items.ts";
import { removeItems } from "../delete-items.ts";

interface Props {
  /** Number of listed items. */
  count: number;
  selected: readonly Item[];
  onFile: (items: readonly Item[]) => void;
  onClear: () => void;
}

/** Shows the number of items, or actions for the selected items. */
export function SelectionBar({ count, selected, onFile, onClear }: Props) {
  const live = selected.filter(({ isArchived }) => !isArchived);
  const remove = async () => {
    await removeItems(live);
    onClear();
  };
  return (
    <div className="content-count">
      <p role="status">
        {selected.length === 0 ? t("library.count", { count }) : t("library.selected", { count: selected.length })}
      </p>
      {selected.length > 0 && (
        <div className="content-selection">
          {live.length > 0 && (
            <>
              <Button icon={<FolderInput aria-hidden />} onClick={() => onFile(live)}>
                {t("library.add_to_folder")}
              </Button>
              <Button icon={<Trash2 aria-hidden />} onClick={() => void remove()}>
                {t("library.delete")}
              </Button>
            </>
          )}
          <Button variant="quiet" icon={<X aria-hidden />} onClick={onClear}>
            {t("library.select_none")}
          </Button>
        </div>
      )}
    </div>
  );
}
