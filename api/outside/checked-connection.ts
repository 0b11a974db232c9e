import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify, promisify } from "node:util";
import { Agent, buildConnector } from "undici";
import { isPublicAddress } from "./addresses.ts";

/** All addresses of a name, as the system's resolver gives them; tests hand in their own. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

class AddressRefused extends Error {}

const CONNECT_MS = 10_000;

/**
 * Connections to public addresses alone. A name is resolved once, by us, and what the socket is then connected to is
 * looked at again before a byte is sent: a name that changes its answer in between gains nothing.
 * `allowedPlaces` are spared, as "host:port".
 */
export function checkedAgent(allowedPlaces: ReadonlySet<string>, resolve: Resolve): Agent {
  const upgrade = promisify(buildConnector({ allowH2: false, timeout: CONNECT_MS }));
  const open = async (options: buildConnector.Options) => {
    const isAllowed = allowedPlaces.has(`${options.hostname}:${options.port || defaultPort(options.protocol)}`);
    const socket = await openChecked(options, { isAllowed, resolve });
    return options.protocol === "https:" ? upgrade({ ...options, httpSocket: socket }) : socket;
  };
  // One answer, one connection: nothing is kept that was checked for another name.
  return new Agent({ pipelining: 0, connect: callbackify(open) as buildConnector.connector });
}

const defaultPort = (protocol: string) => (protocol === "https:" ? 443 : 80);
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

interface Check {
  isAllowed: boolean;
  resolve: Resolve;
}

function openChecked({ hostname, protocol, port }: buildConnector.Options, check: Check): Promise<Socket> {
  const host = bare(hostname);
  const isFine = (address: string) => check.isAllowed || isPublicAddress(address);
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0 && !isFine(host)) {
      reject(new AddressRefused("Not a public address"));
      return;
    }
    const socket = connect({
      host,
      port: Number(port) || defaultPort(protocol),
      // It asks for all addresses of a name, which is how the lookup below answers.
      autoSelectFamily: true,
      lookup: checkedLookup(check.resolve, isFine),
      timeout: CONNECT_MS,
    });
    socket.once("timeout", () => socket.destroy(new Error("No answer within the time")));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      if (isFine(socket.remoteAddress ?? "")) return resolve(socket);
      socket.destroy();
      return reject(new AddressRefused("Not a public address"));
    });
  });
}

/** A name that has public and private addresses is met at its public ones. */
function checkedLookup(resolve: Resolve, isFine: (address: string) => boolean): LookupFunction {
  const lookUp = async (host: string, _options: unknown) => {
    const fine = (await resolve(host)).filter(({ address }) => isFine(address));
    if (fine.length === 0) throw new AddressRefused("Not a public address");
    return [...fine];
  };
  return callbackify(lookUp);
}
