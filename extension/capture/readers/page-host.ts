import { findAll } from "#extension/platform/dom.ts";

/** What is ours in a page stands in a root of its own, which neither its scripts nor its styles can look into. */
export function hostIn(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement("lamplight-host");
  host.dataset["part"] = name;
  host.style.cssText = "all: initial; position: fixed; inset: 0 auto auto 0; z-index: 2147483647;";
  const root = host.attachShadow({ mode: "closed" });
  document.documentElement.append(host);
  return { host, root };
}

/** Takes away what stands in the page under a name, whichever version of ours put it there. */
export function dropHosts(name: string): void {
  for (const host of findAll(`lamplight-host[data-part="${name}"]`)) host.remove();
}

export function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
