import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { Panel } from "#extension/ui/panel.tsx";
import { show } from "#extension/ui/show.tsx";
import { Beside } from "./beside.tsx";

show(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />}>
    {(isConnected) => <Beside isConnected={isConnected} />}
  </Panel>,
);
