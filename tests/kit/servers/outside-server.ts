import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface OutsideServer {
  origin: string;
  /** "host:port", to be allowed by name. */
  place: string;
  /** Requested paths in order. */
  asked: string[];
  connections: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server that represents the outside world; it stops when the test ends. */
export async function anOutsideServer(answer: Answer): Promise<OutsideServer> {
  const outside: OutsideServer = { origin: "", place: "", asked: [], connections: 0 };
  const server = createServer((request, response) => {
    outside.asked.push(request.url ?? "");
    answer(request, response);
  });
  server.on("connection", () => (outside.connections += 1));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  outside.place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  outside.origin = `http://${outside.place}`;
  return outside;
}
