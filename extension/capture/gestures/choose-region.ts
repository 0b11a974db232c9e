// Injected on the student's gesture: selects a region of the window with the pointer or the keyboard.
import { pageWords as words } from "#extension/words/page-words.ts";
import { hostIn, sheetOf } from "../readers/page-host.ts";
import type { SeenImage } from "../readers/read-image.ts";

type Rect = SeenImage["rect"];

const STEP = 16;
const LEAST = 12;

const SHEET = `
.veil { position: fixed; inset: 0; cursor: crosshair; }
.part { position: fixed; border: 2px solid #fff; outline: 2px solid #24406b; box-shadow: 0 0 0 100vmax rgb(20 19 16 / 45%); }
.part:focus-visible { outline-width: 4px; }
.help { position: fixed; inset-block-start: 16px; inset-inline: 0; margin: 0 auto; inline-size: fit-content;
  max-inline-size: min(60ch, calc(100vw - 64px)); padding: 10px 14px; border-radius: 10px; background: #fff;
  color: #1c1b18; font: 500 15px/1.4 system-ui, sans-serif; }
`;

const between = (a: { x: number; y: number }, b: { x: number; y: number }): Rect => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  w: Math.abs(a.x - b.x),
  h: Math.abs(a.y - b.y),
});

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));

function fitted({ x, y, w, h }: Rect): Rect {
  const [width, height] = [within(w, LEAST, innerWidth), within(h, LEAST, innerHeight)];
  return { x: within(x, 0, innerWidth - width), y: within(y, 0, innerHeight - height), w: width, h: height };
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Arrow keys move the region; with Shift they resize it. */
function pushed(rect: Rect, { key, shiftKey }: KeyboardEvent): Rect | undefined {
  const move = moves[key];
  if (!move) return undefined;
  const [dx, dy] = move;
  return fitted(shiftKey ? { ...rect, w: rect.w + dx, h: rect.h + dy } : { ...rect, x: rect.x + dx, y: rect.y + dy });
}

function element(className: string, text = ""): HTMLElement {
  const made = document.createElement("div");
  made.className = className;
  made.textContent = text;
  return made;
}

const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** The chosen region of the window; null if cancelled. */
export async function chooseRegion(): Promise<SeenImage | null> {
  const { host, root } = hostIn("region");
  root.adoptedStyleSheets = [sheetOf(SHEET)];
  const part = element("part");
  part.tabIndex = 0;
  part.setAttribute("role", "application");
  part.setAttribute("aria-label", words.region_help);
  const veil = element("veil");
  veil.append(part, element("help", words.region_help));
  root.append(veil);
  const chosen = await listenTo(veil, part);
  host.remove();
  // Wait until the overlay is gone, because the screenshot shows the whole window.
  await drawn();
  return chosen && { rect: chosen, ratio: devicePixelRatio, alt: "" };
}

function listenTo(veil: HTMLElement, part: HTMLElement): Promise<Rect | null> {
  let rect = fitted({ x: innerWidth / 4, y: innerHeight / 4, w: innerWidth / 2, h: innerHeight / 2 });
  const show = () => {
    const { x, y, w, h } = rect;
    Object.assign(part.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  };
  show();
  part.focus();
  return new Promise((resolve) => {
    const refit = () => {
      // Keep the region inside a resized or rotated window.
      if (!veil.isConnected) return removeEventListener("resize", refit);
      rect = fitted(rect);
      return show();
    };
    addEventListener("resize", refit);
    let from: { x: number; y: number } | undefined;
    veil.addEventListener("pointerdown", (event) => {
      // Ignore events that the page dispatches itself.
      if (!event.isTrusted) return;
      from = { x: event.clientX, y: event.clientY };
      veil.setPointerCapture(event.pointerId);
    });
    veil.addEventListener("pointermove", (event) => {
      if (!from) return;
      rect = between(from, { x: event.clientX, y: event.clientY });
      show();
    });
    veil.addEventListener("pointerup", () => {
      if (from && rect.w >= LEAST && rect.h >= LEAST) resolve(rect);
      from = undefined;
    });
    veil.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (!event.isTrusted) return;
      if (event.key === "Escape") resolve(null);
      if (event.key === "Enter") resolve(rect);
      const next = pushed(rect, event);
      if (!next) return;
      event.preventDefault();
      rect = next;
      show();
    });
  });
}
