import { Button } from "#shared/ui/controls/button.tsx";
import { useAccount } from "#extension/app/account.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { words } from "#extension/words/words.ts";
import { disconnect } from "./connect.ts";

/** Shows the connected account and a button to disconnect it. */
export function AccountSetting() {
  const account = useAccount();
  if (account === undefined) return null;
  if (account === null) return <p className="options-text">{words.not_connected}</p>;
  return (
    <div className="options-account">
      <p>{interpolate(words.connected_as, { email: account.email })}</p>
      <p className="options-text">{words.disconnect_text}</p>
      <Button onClick={() => void disconnect()}>{words.disconnect}</Button>
    </div>
  );
}
