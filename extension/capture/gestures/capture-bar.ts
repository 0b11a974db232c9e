// A toolbar that is injected into the page when the student asks, for several captures without the panel. It only sends
// requests; the service worker captures.
import { pageWords as words } from "#extension/words/page-words.ts";
import { sendBarRequest, type BarRequest } from "#extension/platform/toolbar-messages.ts";
import { removeHosts, createHost, createSheet } from "../readers/page-host.ts";
import { findMainVideo } from "../readers/read-moment.ts";

/** Colours are repeated here because the page does not have the design tokens. */
const SHEET = `
:host { color-scheme: light dark; }
.bar { position: fixed; inset-block-end: 16px; inset-inline: 0; margin: 0 auto; inline-size: fit-content;
  max-inline-size: calc(100vw - 24px); display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 8px;
  border: 1px solid #c9c5ba; border-radius: 14px; background: #fff; color: #1c1b18;
  box-shadow: 0 8px 30px rgb(20 19 16 / 25%); font: 500 14px/1.4 system-ui, sans-serif; }
button { font: inherit; color: inherit; min-block-size: 36px; padding: 0 12px; border: 1px solid #c9c5ba;
  border-radius: 9px; background: transparent; cursor: pointer; }
button:hover { background: #f3f1ec; }
button:focus-visible { outline: 3px solid #24406b; outline-offset: 2px; }
.primary { background: #24406b; border-color: #24406b; color: #fff; }
.primary:hover { background: #1b3152; }
.status { order: 1; flex-basis: 100%; margin: 2px 6px; }
.status:empty { display: none; }
@media (prefers-color-scheme: dark) {
  .bar { background: #1c1b18; color: #f1efe9; border-color: #47443d; }
  button { border-color: #47443d; }
  button:hover { background: #2e2c27; }
  .primary { background: #a9c3ee; border-color: #a9c3ee; color: #10203a; }
  .primary:hover { background: #c4d6f5; }
  button:focus-visible { outline-color: #a9c3ee; }
}
`;

/** Shared by repeated injections of this script. Contains the toolbar while it is open. */
const scriptGlobals = globalThis as { lamplightBar?: HTMLElement };

function button(label: string, onPress: () => void, className = ""): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.className = className;
  // Keep the page's selection while the toolbar is used.
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  element.addEventListener("click", (event) => {
    if (event.isTrusted) onPress();
  });
  return element;
}

function close(): void {
  scriptGlobals.lamplightBar?.remove();
  delete scriptGlobals.lamplightBar;
}

/** Shows or hides the toolbar. */
export function toggleBar(): void {
  if (scriptGlobals.lamplightBar?.isConnected) return close();
  // A toolbar left by a previous version of the extension no longer works.
  removeHosts("bar");
  const { host, root } = createHost("bar");
  scriptGlobals.lamplightBar = host;
  root.adoptedStyleSheets = [createSheet(SHEET)];
  const bar = document.createElement("div");
  bar.className = "bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", words.bar);
  const status = document.createElement("p");
  status.className = "status";
  status.setAttribute("role", "status");
  const send = async (action: BarRequest) => {
    status.textContent = words.bar_working;
    const answer = await sendBarRequest(action);
    status.textContent = answer === undefined ? words.bar_replaced : answer || words.bar_failed;
  };
  const request = (action: BarRequest) => () => void send(action);
  const clipButtons = findMainVideo() ? [button(words.bar_clip, request("clip"))] : [];
  bar.append(
    button(words.bar_card, request("card"), "primary"),
    button(words.bar_page, request("page")),
    ...clipButtons,
    button(words.bar_region, request("region")),
    button(words.bar_panel, request("panel")),
    status,
    button(words.bar_close, close),
  );
  bar.addEventListener("keydown", (event) => {
    if (event.isTrusted && event.key === "Escape") close();
  });
  root.append(bar);
  bar.querySelector("button")?.focus({ preventScroll: true });
}
