import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Compass, CreditCard, Keyboard, LogOut, MessageSquare, Plug, Settings } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { getInitial } from "#webapp/app/format/initial.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { userAtom } from "#webapp/app/session/session.ts";

export function AccountMenu({ minimized }: { minimized: boolean }) {
  const user = useAtomValue(userAtom);
  const navigate = useNavigate();
  const go = (to: string) => void navigate({ to });
  if (!user) return null;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="sidebar-row"
          title={t("shell.account", { name: user.name })}
          aria-label={minimized ? t("shell.account", { name: user.name }) : undefined}
        >
          {user.profilePictureUrl === null ? (
            <span className="sidebar-initial" aria-hidden>
              {getInitial(user.name)}
            </span>
          ) : (
            <img className="sidebar-initial" src={user.profilePictureUrl} alt="" aria-hidden />
          )}
          {!minimized && <span className="sidebar-label">{user.name}</span>}
        </button>
      }
      groups={[
        [
          {
            label: t("shell.settings"),
            icon: <Settings aria-hidden />,
            onSelect: () => go(screenPath("settings", {})),
          },
          {
            label: t("shell.connections"),
            icon: <Plug aria-hidden />,
            onSelect: () => go(screenPath("connections", {})),
          },
          {
            label: t("shell.billing"),
            icon: <CreditCard aria-hidden />,
            onSelect: () => go(screenPath("billing", {})),
          },
        ],
        [
          {
            label: t("library.command_explore"),
            icon: <Compass aria-hidden />,
            onSelect: () => go(screenPath("explore", {})),
          },
          { label: t("shell.keys"), icon: <Keyboard aria-hidden />, onSelect: () => openOverlay("keys") },
          { label: t("shell.feedback"), icon: <MessageSquare aria-hidden />, onSelect: () => openOverlay("feedback") },
        ],
        [{ label: t("shell.sign_out"), icon: <LogOut aria-hidden />, onSelect: () => go(screenPath("logout", {})) }],
      ]}
    />
  );
}
