import { useEffect, useState } from "react";
import { Button } from "#shared/ui/controls/button.tsx";
import type { Connecting } from "#extension/app/disk.ts";
import { readServer } from "#extension/app/disk.ts";
import { fill } from "#shared/messages/fill.ts";
import { words } from "#extension/words/words.ts";
import { openOptions } from "#extension/platform/pages.ts";
import { beginConnecting, pollConnecting, recallConnecting, showConfirmation, stopConnecting } from "./connect.ts";
import "./connect-panel.css";

/** Connects the extension to an account; `hasEnded` if an earlier connection has expired. */
export function ConnectPanel({ hasEnded }: { hasEnded: boolean }) {
  const [server, setServer] = useState("");
  const [connecting, setConnecting] = useState<Connecting>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    void readServer().then(setServer);
    void recallConnecting().then(setConnecting);
  }, []);

  const begin = async () => {
    setAsking(true);
    setProblem(undefined);
    setConnecting(await beginConnecting().catch(() => undefined));
    setAsking(false);
    if ((await recallConnecting()) === undefined) setProblem(words.connect_failed);
  };

  if (connecting)
    return (
      <Waiting
        connecting={connecting}
        onEnd={(why) => {
          setConnecting(undefined);
          setProblem(why);
        }}
      />
    );
  return (
    <section className="connect" aria-labelledby="connect">
      <h2 id="connect">{hasEnded ? words.connect_again_title : words.connect_title}</h2>
      <p>{hasEnded ? words.connect_again_text : words.connect_text}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <p className="connect-where">{fill(words.connect_where, { server })}</p>
      <div className="connect-does">
        <Button variant="primary" pending={isAsking} onClick={() => void begin()}>
          {words.connect}
        </Button>
        <Button variant="quiet" onClick={() => void openOptions()}>
          {words.connect_change}
        </Button>
      </div>
    </section>
  );
}

function Waiting({ connecting, onEnd }: { connecting: Connecting; onEnd: (problem: string | undefined) => void }) {
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const ended = await pollConnecting(connecting).catch(() => undefined);
      if (isLeft) return;
      if (ended === undefined) timer = setTimeout(() => void ask(), connecting.pollMs);
      else if (ended === "connected") onEnd(undefined);
      else onEnd(ended === "refused" ? words.connect_refused : words.connect_expired);
    };
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [connecting, onEnd]);
  return (
    <section className="connect" aria-labelledby="connecting">
      <h2 id="connecting">{words.connecting_title}</h2>
      <p className="connect-code">{connecting.code}</p>
      <p>{words.connecting_text}</p>
      <p role="status" className="connect-where">
        {words.connecting_waiting}
      </p>
      <div className="connect-does">
        <Button onClick={() => void showConfirmation(connecting)}>{words.connecting_open}</Button>
        <Button variant="quiet" onClick={() => void stopConnecting().then(() => onEnd(undefined))}>
          {words.connecting_stop}
        </Button>
      </div>
    </section>
  );
}
