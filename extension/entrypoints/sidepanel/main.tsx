import { ConnectPanel } from "#extension/auth/connect-panel.tsx";
import { fill } from "#shared/messages/fill.ts";
import { words } from "#extension/kit/words.ts";
import { Panel } from "#extension/ui/panel.tsx";
import { show } from "#extension/ui/show.tsx";

show(
  <Panel connect={(hasEnded) => <ConnectPanel hasEnded={hasEnded} />}>
    {(account) =>
      account && !account.hasEnded && <p role="status">{fill(words.connected_as, { email: account.email })}</p>
    }
  </Panel>,
);
