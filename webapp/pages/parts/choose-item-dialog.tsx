import { useAtomValue } from "jotai/react";
import { useEffect, useMemo, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { contentAtom, loadContent } from "#webapp/library/content.ts";
import { findItemsByTitle, type LibraryItem, type LibraryItemKind } from "#webapp/library/library-items.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import "./choose-item-dialog.css";

const MAX_RESULTS = 30;

interface Props {
  title: string;
  kinds: readonly LibraryItemKind[];
  /** Excluded: the id of the open page. */
  excludedId: string;
  onChoose: (item: LibraryItem) => void;
  onClose: () => void;
}

/** Picks a page, deck or document by name; recently opened ones come first. */
export function ChooseItemDialog({ title, kinds, excludedId, onChoose, onClose }: Props) {
  const content = useAtomValue(contentAtom);
  const [query, setQuery] = useState("");
  useEffect(() => void loadContent(), []);
  const results = useMemo(
    () => findItemsByTitle(content, query, { kinds, excludedId, most: MAX_RESULTS }),
    [content, kinds, excludedId, query],
  );
  return (
    <Dialog open title={title} onClose={onClose} closeLabel={t("common.close")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = results;
          if (first) onChoose(first);
        }}
      >
        <TextField label={t("pages.chooser_name")} value={query} onChange={(event) => setQuery(event.target.value)} />
      </form>
      {results.length === 0 && <p role="status">{t("pages.chooser_none")}</p>}
      <ul className="choose-place">
        {results.map((item) => (
          <li key={item.id}>
            <button type="button" onClick={() => onChoose(item)}>
              <LibraryItemIcon kind={item.kind} emoji={item.emoji} />
              <span>{item.title || t("pages.untitled")}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
