import { CircleHelp, Settings } from "lucide-react";
import { useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { interpolate } from "#shared/messages/interpolate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { useAccount } from "#extension/app/account.ts";
import { words } from "#extension/words/words.ts";
import { openOptions } from "#extension/platform/pages.ts";
import "./panel.css";

interface Props {
  /** Renders the connect prompt, shown above everything else while no account is connected. */
  connect: (hasEnded: boolean) => ReactNode;
  /** The search of the help, shown when it is opened. */
  help: ReactNode;
  /** Receives whether an account is connected. */
  children: (isConnected: boolean) => ReactNode;
}

/** Shows its children at the lower edge of the panel, where they stay while the content above scrolls. */
export function InPanelFoot({ children }: { children: ReactNode }) {
  // The frame is rendered before the features, which wait for the account.
  const [foot] = useState(() => document.querySelector(".panel-foot"));
  return foot ? createPortal(children, foot) : children;
}

/** The frame of the side panel; features are passed in. */
export function Panel({ connect, help, children }: Props) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const account = useAccount();
  return (
    <div className="panel">
      <header className="panel-head">
        <div>
          <h1>{words.panel_title}</h1>
          {account && !account.hasEnded && (
            <p className="panel-note">{interpolate(words.connected_as, { email: account.email })}</p>
          )}
        </div>
        <div className="panel-actions">
          <IconButton
            label={words.help}
            icon={<CircleHelp aria-hidden />}
            aria-expanded={isHelpOpen}
            onClick={() => setHelpOpen(!isHelpOpen)}
          />
          <IconButton label={words.settings} icon={<Settings aria-hidden />} onClick={() => void openOptions()} />
        </div>
      </header>
      <main className="panel-body">
        {isHelpOpen && help}
        {account !== undefined && (account === null || account.hasEnded) && connect(account !== null)}
        {account !== undefined && children(account !== null && !account.hasEnded)}
      </main>
      <footer className="panel-foot" />
    </div>
  );
}
