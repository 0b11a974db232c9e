import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify, promisify } from "node:util";
import { Agent, buildConnector } from "undici";
import { isPublicAddress } from "./public-addresses.ts";

/** Resolves a host name to all its addresses; replaced in tests. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

class AddressRefusedError extends Error {}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects to public addresses only. The name is resolved once, and the connected socket's address is checked again
 * before anything is sent, which prevents DNS rebinding. `allowedHosts` ("host:port") are exempt.
 */
export function createCheckedAgent(allowedHosts: ReadonlySet<string>, resolve: Resolve = systemResolve): Agent {
  const upgrade = promisify(buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS }));
  const open = async (options: buildConnector.Options) => {
    const isAllowed = allowedHosts.has(`${options.hostname}:${options.port || defaultPort(options.protocol)}`);
    const socket = await openChecked(options, { isAllowed, resolve });
    return options.protocol === "https:" ? upgrade({ ...options, httpSocket: socket }) : socket;
  };
  // One connection per response: a connection checked for one name is never reused for another.
  return new Agent({ pipelining: 0, connect: callbackify(open) as buildConnector.connector });
}

const defaultPort = (protocol: string) => (protocol === "https:" ? 443 : 80);
const stripBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

interface Check {
  isAllowed: boolean;
  resolve: Resolve;
}

function openChecked({ hostname, protocol, port }: buildConnector.Options, check: Check): Promise<Socket> {
  const host = stripBrackets(hostname);
  const isAddressAllowed = (address: string) => check.isAllowed || isPublicAddress(address);
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0 && !isAddressAllowed(host)) {
      reject(new AddressRefusedError("Not a public address"));
      return;
    }
    const socket = connect({
      host,
      port: Number(port) || defaultPort(protocol),
      // Makes `lookup` return all addresses, as the function below does.
      autoSelectFamily: true,
      lookup: createCheckedLookup(check.resolve, isAddressAllowed),
      timeout: CONNECT_TIMEOUT_MS,
    });
    socket.once("timeout", () => socket.destroy(new Error("Connection timed out")));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      if (isAddressAllowed(socket.remoteAddress ?? "")) return resolve(socket);
      socket.destroy();
      return reject(new AddressRefusedError("Not a public address"));
    });
  });
}

/** For a name with public and private addresses, only the public ones are used. */
function createCheckedLookup(resolve: Resolve, isAddressAllowed: (address: string) => boolean): LookupFunction {
  const lookUp = async (host: string, _options: unknown) => {
    const allowed = (await resolve(host)).filter(({ address }) => isAddressAllowed(address));
    if (allowed.length === 0) throw new AddressRefusedError("Not a public address");
    return [...allowed];
  };
  return callbackify(lookUp);
}
