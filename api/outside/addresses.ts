import ipaddr from "ipaddr.js";

/**
 * Whether an address belongs to the public internet. Refused are private, loopback, link-local, metadata, shared and
 * reserved ranges, in IPv4, in IPv6, and in IPv4 written as IPv6 (mapped, NAT64, 6to4).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // Outside of 2000::/3 nothing of IPv6 is assigned to the public (RFC 4291 2.4).
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** `host:port` of an address, the port written out; undefined for anything but http and https. */
export function placeOf(url: URL): string | undefined {
  const port = url.port || PORTS[url.protocol];
  return PORTS[url.protocol] === undefined || port === undefined ? undefined : `${url.hostname}:${port}`;
}

/** Whether the protocol, the port and the spelling of an address may be asked for at all. */
export function mayBeAsked(url: URL, allowedPlaces: ReadonlySet<string>): boolean {
  const place = placeOf(url);
  if (place === undefined || url.username !== "" || url.password !== "") return false;
  return allowedPlaces.has(place) || url.port === "" || url.port === "80" || url.port === "443";
}
