import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { CapturesPanel } from "#extension/capture/captures-panel.tsx";
import { keepPageBeside, showPassage } from "#extension/capture/showing.ts";
import { TutorPanel } from "#extension/tutor/tutor-panel.tsx";
import { Panel } from "#extension/ui/panel.tsx";
import { show } from "#extension/ui/show.tsx";

const tutor = <TutorPanel keepPage={keepPageBeside} show={(address, quote) => showPassage(address, { quote })} />;

show(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />}>
    {(isConnected) => <CapturesPanel>{isConnected && tutor}</CapturesPanel>}
  </Panel>,
);
