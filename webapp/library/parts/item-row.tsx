import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, FileText, Layers, Paperclip } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/button.tsx";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Menu, type MenuItem } from "#shared/ui/menu.tsx";
import { archivePage, restorePage } from "#webapp/kit/content.ts";
import { useNow } from "#webapp/kit/use-now.ts";
import { sayWhen } from "#webapp/kit/when.ts";
import type { Item, Kind } from "../items.ts";

const icons: Record<Kind, typeof FileText> = { page: FileText, deck: Layers, file: Paperclip };

export function ItemRow({ item }: { item: Item }) {
  const now = useNow();
  const navigate = useNavigate();
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
      {item.isArchived ? (
        <Button onClick={() => void restorePage(item.id)} aria-label={t("library.restore_item", { title })}>
          {t("library.restore")}
        </Button>
      ) : (
        <Menu
          trigger={<IconButton label={t("library.more", { title })} icon={<Ellipsis aria-hidden />} />}
          groups={groupsFor(item, (to) => void navigate({ to }))}
        />
      )}
    </li>
  );
}

function groupsFor({ id, kind, pageId }: Item, go: (to: string) => void): MenuItem[][] {
  const open = { label: t("library.open"), onSelect: () => go(screenPath("page", { id: pageId })) };
  const study = {
    label: t("library.study"),
    onSelect: () => go(screenPath("study", { id: pageId, flashcard: id })),
  };
  const remove = { label: t("library.delete"), danger: true, onSelect: () => void archivePage(id) };
  switch (kind) {
    case "page":
      return [[open], [remove]];
    case "deck":
      return [[study, open]];
    case "file":
      return [[open]];
    default:
      return kind satisfies never;
  }
}

function about({ kind, cardCount, pageTitle }: Item): string {
  const page = t("library.on_page", { page: pageTitle || t("common.untitled") });
  if (kind === "page") return t("library.page");
  if (kind === "deck") return [t("library.cards", { count: cardCount ?? 0 }), page].join(" · ");
  return [t("library.file"), page].join(" · ");
}
