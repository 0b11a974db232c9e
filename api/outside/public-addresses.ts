import ipaddr from "ipaddr.js";

/**
 * Whether an address is on the public internet. Rejects private, loopback, link-local, metadata, shared and reserved
 * ranges in IPv4, IPv6, and IPv4 embedded in IPv6 (mapped, NAT64, 6to4).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // Only 2000::/3 is assigned for public IPv6 addresses (RFC 4291 2.4).
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** `host:port` of a URL with an explicit port; undefined unless it is http or https. */
export function hostAndPort(url: URL): string | undefined {
  const port = url.port || PORTS[url.protocol];
  return PORTS[url.protocol] === undefined || port === undefined ? undefined : `${url.hostname}:${port}`;
}

/** Whether the protocol, port and credentials of a URL allow fetching it at all. */
export function isFetchable(url: URL, allowedHosts: ReadonlySet<string>): boolean {
  const host = hostAndPort(url);
  if (host === undefined || url.username !== "" || url.password !== "") return false;
  return allowedHosts.has(host) || url.port === "" || url.port === "80" || url.port === "443";
}
