import { Link } from "@tanstack/react-router";
import { FilePlus2, House, LibraryBig, Menu, MessageSquareText } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { useCreatePage } from "../sidebar/new-page-button.tsx";
import { useCardsToday } from "../sidebar/use-cards-today.ts";
import "./phone-bar.css";

interface PlaceProps {
  to: string;
  label: string;
  icon: ReactNode;
  note?: string | undefined;
}

function Place({ to, label, icon, note }: PlaceProps) {
  return (
    <li>
      <Link className="phone-bar-item" to={to} activeOptions={{ exact: true, includeSearch: false }}>
        {icon}
        <span>{label}</span>
        {note !== undefined && <span className="phone-bar-due">{note}</span>}
      </Link>
    </li>
  );
}

function NewPage() {
  const { create, isCreating } = useCreatePage();
  return (
    <li>
      <button
        type="button"
        className="phone-bar-item"
        aria-disabled={isCreating || undefined}
        onClick={() => {
          if (!isCreating) create();
        }}
      >
        <FilePlus2 aria-hidden />
        <span>{t("shell.new_page")}</span>
      </button>
    </li>
  );
}

/** The main places at the bottom of a phone's screen, in reach of a thumb. The menu opens the sidebar. */
export function PhoneBar({ onMenu }: { onMenu: () => void }) {
  const count = useCardsToday();
  return (
    <nav className="phone-bar" aria-label={t("shell.places")}>
      <ul role="list">
        <Place
          to={screenPath("home", {})}
          label={t("shell.home")}
          icon={<House aria-hidden />}
          note={count > 0 ? t("shell.today", { count }) : undefined}
        />
        <Place to={screenPath("chat", {})} label={t("shell.tutor")} icon={<MessageSquareText aria-hidden />} />
        <NewPage />
        <Place to={screenPath("content", {})} label={t("shell.content")} icon={<LibraryBig aria-hidden />} />
        <li>
          <button
            type="button"
            className="phone-bar-item"
            aria-label={t("shell.nav_open")}
            aria-haspopup="dialog"
            onClick={onMenu}
          >
            <Menu aria-hidden />
            <span>{t("shell.menu")}</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}
