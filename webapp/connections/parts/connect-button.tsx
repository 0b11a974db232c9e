import { useState } from "react";
import { Button } from "#shared/ui/controls/button.tsx";

interface Props {
  label: string;
  variant?: "primary" | "secondary";
  /** Navigates to the account's provider. Resolves only if that fails. */
  onConnect: () => Promise<void>;
}

export function ConnectButton({ label, variant = "secondary", onConnect }: Props) {
  const [isRedirecting, setRedirecting] = useState(false);
  const connect = async () => {
    setRedirecting(true);
    await onConnect();
    setRedirecting(false);
  };
  return (
    <div>
      <Button variant={variant} pending={isRedirecting} onClick={() => void connect()}>
        {label}
      </Button>
    </div>
  );
}
