import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { CapturesPanel } from "#extension/capture/captures-panel.tsx";
import { Panel } from "#extension/ui/panel.tsx";
import { show } from "#extension/ui/show.tsx";

show(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />}>
    <CapturesPanel />
  </Panel>,
);
