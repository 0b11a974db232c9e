import { once } from "node:events";
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Where a delayed call is: not yet at the server, or handled with its response on the way back. */
export type HoldPoint = "asked" | "answered";

interface Hold {
  path: RegExp;
  where: HoldPoint;
  reached: () => void;
  dropped: Promise<void>;
}

async function forward(origin: string, { method, headers, url }: IncomingMessage, sent: Buffer) {
  const call = ask(`${origin}${url}`, { method, headers });
  call.end(sent);
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  return { answer, body: await buffer(answer) };
}

function aSignal(): { given: Promise<void>; give: () => void } {
  const signal = new EventTarget();
  const given = new Promise<void>((done) => {
    signal.addEventListener("given", () => done(), { once: true });
  });
  return { given, give: () => void signal.dispatchEvent(new Event("given")) };
}

/** A proxy that can delay one call and then drop it, as if the connection broke at that point. */
export async function startBreakableProxy(origin: string) {
  let hold: Hold | undefined;
  const dropsAt = async (where: HoldPoint, asked: IncomingMessage): Promise<boolean> => {
    const now = hold;
    if (asked.method === "GET" || now?.where !== where || !now.path.test(asked.url ?? "")) return false;
    hold = undefined;
    now.reached();
    await now.dropped;
    return true;
  };
  const forwardCall = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await buffer(asked);
    if (await dropsAt("asked", asked)) return void response.destroy();
    const { answer, body } = await forward(origin, asked, sent);
    if (await dropsAt("answered", asked)) return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
  };
  const server = createServer((asked, response) => void forwardCall(asked, response).catch(() => response.destroy()));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Delays the next modifying call to a path; `reached` resolves when it has arrived, `drop` loses it. */
    hold(path: RegExp, where: HoldPoint): { reached: Promise<void>; drop: () => void } {
      const [reached, dropped] = [aSignal(), aSignal()];
      hold = { path, where, reached: reached.give, dropped: dropped.given };
      return { reached: reached.given, drop: dropped.give };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
