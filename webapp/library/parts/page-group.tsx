import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState, type ComponentProps } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import type { Item } from "../items.ts";
import { foldChildren, type ItemGroup } from "../page-groups.ts";
import { ItemRow, itemTitle } from "./item-row.tsx";

/** Creates the props of a row, except for its item and level. */
type RowProps = (item: Item) => Omit<ComponentProps<typeof ItemRow>, "item" | "level">;

/** A page with its decks and files below it. */
export function PageGroup({ group: { head, children }, rowProps }: { group: ItemGroup; rowProps: RowProps }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const listId = useId();
  const { shown, folded } = foldChildren(children);
  const listed = isUnfolded ? [...shown, ...folded] : shown;
  if (head.kind !== "page") return <ItemRow item={head} {...rowProps(head)} />;
  const title = itemTitle(head);
  return (
    <li className="content-group">
      <ItemRow item={head} level="page" {...rowProps(head)} />
      {children.length > 0 && (
        <div className="content-children">
          <ul role="list" id={listId} aria-label={t("library.items_on_page", { title })}>
            {listed.map((item) => (
              <ItemRow key={item.id} item={item} level="part" {...rowProps(item)} />
            ))}
          </ul>
          {folded.length > 0 && (
            <Button
              variant="quiet"
              className="content-fold"
              icon={isUnfolded ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
              aria-expanded={isUnfolded}
              aria-controls={listId}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              {describeFolded(folded)}
              <span className="visually-hidden">{t("library.items_on_page", { title })}</span>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

const describeFolded = (folded: readonly Item[]) =>
  t(folded.every(({ kind }) => kind === "image") ? "library.pictures" : "library.more_items", { count: folded.length });
