import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { HelpPanel } from "#extension/marketing/help-panel.tsx";
import { Panel } from "#extension/ui/panel.tsx";
import { renderView } from "#extension/ui/render-view.tsx";
import { PanelContent } from "./panel-content.tsx";

renderView(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />} help={<HelpPanel />}>
    {(isConnected) => <PanelContent isConnected={isConnected} />}
  </Panel>,
);
