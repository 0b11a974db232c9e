import { useEffect, useState } from "react";
import { Button } from "#shared/ui/controls/button.tsx";
import type { Connecting } from "#extension/app/settings-store.ts";
import { readServer } from "#extension/app/settings-store.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { words } from "#extension/words/words.ts";
import { openOptions } from "#extension/platform/pages.ts";
import { startConnecting, pollConnecting, findConnecting, showConfirmation, stopConnecting } from "./connect.ts";
import "./connect-panel.css";

/** Connects the extension to an account; `hasEnded` if an earlier connection has expired. */
export function ConnectPanel({ hasEnded }: { hasEnded: boolean }) {
  const [server, setServer] = useState("");
  const [connecting, setConnecting] = useState<Connecting>();
  const [problem, setProblem] = useState<string>();
  const [isRequesting, setRequesting] = useState(false);
  useEffect(() => {
    void readServer().then(setServer);
    void findConnecting().then(setConnecting);
  }, []);

  const connect = async () => {
    setRequesting(true);
    setProblem(undefined);
    setConnecting(await startConnecting().catch(() => undefined));
    setRequesting(false);
    if ((await findConnecting()) === undefined) setProblem(words.connect_failed);
  };

  if (connecting)
    return (
      <WaitingForConfirmation
        connecting={connecting}
        onEnd={(reason) => {
          setConnecting(undefined);
          setProblem(reason);
        }}
      />
    );
  return (
    <section className="connect" aria-labelledby="connect">
      <h2 id="connect">{hasEnded ? words.connect_again_title : words.connect_title}</h2>
      <p>{hasEnded ? words.connect_again_text : words.connect_text}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <p className="connect-server">{interpolate(words.connect_where, { server })}</p>
      <div className="connect-actions">
        <Button variant="primary" pending={isRequesting} onClick={() => void connect()}>
          {words.connect}
        </Button>
        <Button variant="quiet" onClick={() => void openOptions()}>
          {words.connect_change}
        </Button>
      </div>
    </section>
  );
}

function WaitingForConfirmation({
  connecting,
  onEnd,
}: {
  connecting: Connecting;
  onEnd: (problem: string | undefined) => void;
}) {
  useEffect(() => {
    let isUnmounted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      const outcome = await pollConnecting(connecting).catch(() => undefined);
      if (isUnmounted) return;
      if (outcome === undefined) timer = setTimeout(() => void poll(), connecting.pollMs);
      else if (outcome === "connected") onEnd(undefined);
      else onEnd(outcome === "refused" ? words.connect_refused : words.connect_expired);
    };
    void poll();
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [connecting, onEnd]);
  return (
    <section className="connect" aria-labelledby="connecting">
      <h2 id="connecting">{words.connecting_title}</h2>
      <p className="connect-code">{connecting.code}</p>
      <p>{words.connecting_text}</p>
      <p role="status" className="connect-server">
        {words.connecting_waiting}
      </p>
      <div className="connect-actions">
        <Button onClick={() => void showConfirmation(connecting)}>{words.connecting_open}</Button>
        <Button variant="quiet" onClick={() => void stopConnecting().then(() => onEnd(undefined))}>
          {words.connecting_stop}
        </Button>
      </div>
    </section>
  );
}
