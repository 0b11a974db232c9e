import { findAll } from "#extension/platform/dom.ts";

/** Our elements live in a closed shadow root, out of reach of the page's scripts and styles. */
export function createHost(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement("lamplight-host");
  host.dataset["part"] = name;
  host.style.cssText = "all: initial; position: fixed; inset: 0 auto auto 0; z-index: 2147483647;";
  const root = host.attachShadow({ mode: "closed" });
  document.documentElement.append(host);
  return { host, root };
}

/** Removes our elements of a name, whichever version of the extension added them. */
export function removeHosts(name: string): void {
  for (const host of findAll(`lamplight-host[data-part="${name}"]`)) host.remove();
}

export function createSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
