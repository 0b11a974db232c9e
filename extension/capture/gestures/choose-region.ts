// Injected on the student's gesture: selects a region of the window with the pointer or the keyboard.
import { pageWords as words } from "#extension/words/page-words.ts";
import { createHost, createSheet } from "../readers/page-host.ts";
import type { SeenImage } from "../readers/read-image.ts";

type Rect = SeenImage["rect"];

const STEP_PX = 16;
const MIN_SIZE_PX = 12;

const SHEET = `
.veil { position: fixed; inset: 0; cursor: crosshair; }
.part { position: fixed; border: 2px solid #fff; outline: 2px solid #24406b; box-shadow: 0 0 0 100vmax rgb(20 19 16 / 45%); }
.part:focus-visible { outline-width: 4px; }
.help { position: fixed; inset-block-start: 16px; inset-inline: 0; margin: 0 auto; inline-size: fit-content;
  max-inline-size: min(60ch, calc(100vw - 64px)); padding: 10px 14px; border-radius: 10px; background: #fff;
  color: #1c1b18; font: 500 15px/1.4 system-ui, sans-serif; }
`;

const rectBetween = (a: { x: number; y: number }, b: { x: number; y: number }): Rect => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  w: Math.abs(a.x - b.x),
  h: Math.abs(a.y - b.y),
});

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));

function fitToWindow({ x, y, w, h }: Rect): Rect {
  const [width, height] = [clamp(w, MIN_SIZE_PX, innerWidth), clamp(h, MIN_SIZE_PX, innerHeight)];
  return { x: clamp(x, 0, innerWidth - width), y: clamp(y, 0, innerHeight - height), w: width, h: height };
}

const keyMoves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP_PX, 0],
  ArrowRight: [STEP_PX, 0],
  ArrowUp: [0, -STEP_PX],
  ArrowDown: [0, STEP_PX],
};

/** Arrow keys move the region; with Shift they resize it. */
function moveByKey(rect: Rect, { key, shiftKey }: KeyboardEvent): Rect | undefined {
  const move = keyMoves[key];
  if (!move) return undefined;
  const [dx, dy] = move;
  return fitToWindow(
    shiftKey ? { ...rect, w: rect.w + dx, h: rect.h + dy } : { ...rect, x: rect.x + dx, y: rect.y + dy },
  );
}

function element(className: string, text = ""): HTMLElement {
  const node = document.createElement("div");
  node.className = className;
  node.textContent = text;
  return node;
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** The chosen region of the window; null if cancelled. */
export async function chooseRegion(): Promise<SeenImage | null> {
  const { host, root } = createHost("region");
  root.adoptedStyleSheets = [createSheet(SHEET)];
  const region = element("part");
  region.tabIndex = 0;
  region.setAttribute("role", "application");
  region.setAttribute("aria-label", words.region_help);
  const overlay = element("veil");
  overlay.append(region, element("help", words.region_help));
  root.append(overlay);
  const chosen = await trackSelection(overlay, region);
  host.remove();
  // Wait until the overlay is gone, because the screenshot shows the whole window.
  await nextPaint();
  return chosen && { rect: chosen, ratio: devicePixelRatio, alt: "" };
}

function trackSelection(overlay: HTMLElement, region: HTMLElement): Promise<Rect | null> {
  let rect = fitToWindow({ x: innerWidth / 4, y: innerHeight / 4, w: innerWidth / 2, h: innerHeight / 2 });
  const show = () => {
    const { x, y, w, h } = rect;
    Object.assign(region.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  };
  show();
  region.focus();
  return new Promise((resolve) => {
    const refit = () => {
      // Keep the region inside a resized or rotated window.
      if (!overlay.isConnected) return removeEventListener("resize", refit);
      rect = fitToWindow(rect);
      return show();
    };
    addEventListener("resize", refit);
    let from: { x: number; y: number } | undefined;
    overlay.addEventListener("pointerdown", (event) => {
      // Ignore events that the page dispatches itself.
      if (!event.isTrusted) return;
      from = { x: event.clientX, y: event.clientY };
      overlay.setPointerCapture(event.pointerId);
    });
    overlay.addEventListener("pointermove", (event) => {
      if (!from) return;
      rect = rectBetween(from, { x: event.clientX, y: event.clientY });
      show();
    });
    overlay.addEventListener("pointerup", () => {
      if (from && rect.w >= MIN_SIZE_PX && rect.h >= MIN_SIZE_PX) resolve(rect);
      from = undefined;
    });
    overlay.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (!event.isTrusted) return;
      if (event.key === "Escape") resolve(null);
      if (event.key === "Enter") resolve(rect);
      const next = moveByKey(rect, event);
      if (!next) return;
      event.preventDefault();
      rect = next;
      show();
    });
  });
}
