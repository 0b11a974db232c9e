import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { Panel } from "#extension/ui/panel.tsx";
import { renderView } from "#extension/ui/render-view.tsx";
import { PanelContent } from "./panel-content.tsx";

renderView(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />}>
    {(isConnected) => <PanelContent isConnected={isConnected} />}
  </Panel>,
);
