import { Link } from "@tanstack/react-router";
import { FileText, Layers, Paperclip } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { useNow } from "#webapp/kit/use-now.ts";
import { sayWhen } from "#webapp/kit/when.ts";
import type { Item, Kind } from "../items.ts";

const icons: Record<Kind, typeof FileText> = { page: FileText, deck: Layers, file: Paperclip };

export function ItemRow({ item }: { item: Item }) {
  const now = useNow();
  const Icon = icons[item.kind];
  const title = item.title || t("common.untitled");
  return (
    <li className="content-item">
      {item.emoji ? <span className="content-emoji">{item.emoji}</span> : <Icon aria-hidden />}
      <div className="content-words">
        {item.isArchived ? (
          <span className="content-title">{title}</span>
        ) : (
          <Link className="content-title" to={screenPath("page", { id: item.pageId })}>
            {title}
          </Link>
        )}
        <span className="content-about">{about(item)}</span>
      </div>
      <span className="content-when">{sayWhen(item.editedAt, now)}</span>
    </li>
  );
}

function about({ kind, cardCount, pageTitle }: Item): string {
  const page = t("library.on_page", { page: pageTitle || t("common.untitled") });
  if (kind === "page") return t("library.page");
  if (kind === "deck") return [t("library.cards", { count: cardCount ?? 0 }), page].join(" · ");
  return [t("library.file"), page].join(" · ");
}
