/** Parts of an address that say where the visitor came from, and not what is shown. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|ref_url|si|_hs\w+|yclid)$/i;
const MAX_ADDRESS = 4000;

/** An address by which the same page is the same, however it was come to; undefined for what is no page of the web. */
export function normalAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:" && url.protocol !== "file:") return undefined;
  url.username = "";
  url.password = "";
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  for (const name of tracking) url.searchParams.delete(name);
  // A fragment that is a route names another page; any other names a place on the same one.
  if (!/^#!?\//.test(url.hash)) url.hash = "";
  return url.href.length > MAX_ADDRESS ? undefined : url.href;
}

/** Host and path, as a citation of the web carries them. */
export function placeOfAddress(address: string): string {
  const url = new URL(address);
  return `${url.host}${url.pathname}`;
}
