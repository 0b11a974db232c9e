import type { Node as PmNode } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView, NodeView } from "@tiptap/pm/view";
import type { Block } from "#shared/pages/document.ts";
import { toStoredBlock } from "./changes.ts";
import { shouldLeaveField, focusWhenRendered } from "./focus-inserted-block.ts";

/** A DOM element in which React renders a block. */
export interface BlockMount {
  key: string;
  dom: HTMLElement;
  block: Block;
  isSelected: boolean;
}

const NEAR_PX = 800;
/** Fast scrolling: about three screens a second. */
const FAST_SCROLL_PX_PER_MS = 3;
const SCROLL_SETTLE_MS = 120;
const interactiveSelector =
  "input, textarea, button, select, a, label, summary, [role]:not([role='math'], [role='img']), [contenteditable='true']";

/** Renders blocks near the viewport only; the others are empty placeholders of about their height. */
export class BlockMounts {
  #shown: readonly BlockMount[] = [];
  readonly #mounts = new Map<HTMLElement, BlockMount>();
  readonly #near = new Set<HTMLElement>();
  readonly #pending = new Set<HTMLElement>();
  readonly #listeners = new Set<() => void>();
  readonly #observer: IntersectionObserver | undefined;
  #lastScroll = { timeMs: 0, top: 0 };
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #isNotifying = false;

  constructor() {
    if (typeof IntersectionObserver === "undefined") return;
    this.#observer = new IntersectionObserver((entries) => this.#handleIntersections(entries), {
      rootMargin: `${NEAR_PX}px 0px`,
    });
  }

  add(dom: HTMLElement, block: Block): void {
    this.#count += 1;
    this.#mounts.set(dom, { key: `block-${this.#count}`, dom, block, isSelected: false });
    if (this.#observer) this.#observer.observe(dom);
    else this.#near.add(dom);
    this.#notify();
  }

  change(dom: HTMLElement, change: Partial<Pick<BlockMount, "block" | "isSelected">>): void {
    const mount = this.#mounts.get(dom);
    if (!mount) return;
    this.#mounts.set(dom, { ...mount, ...change });
    if (this.#near.has(dom)) this.#notify();
  }

  remove(dom: HTMLElement): void {
    this.#mounts.delete(dom);
    this.#near.delete(dom);
    this.#pending.delete(dom);
    this.#observer?.unobserve(dom);
    this.#notify();
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly shown = () => this.#shown;

  /** For printing, which needs the whole page. */
  showAll(): void {
    for (const dom of this.#mounts.keys()) {
      this.#near.add(dom);
      this.#observer?.unobserve(dom);
    }
    this.#notify();
  }

  stop(): void {
    clearTimeout(this.#settleTimer);
    this.#observer?.disconnect();
  }

  /** Blocks scrolled past quickly are not rendered, because that would slow down scrolling. */
  #handleIntersections(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      if (isIntersecting) this.#pending.add(target);
      else this.#pending.delete(target);
    }
    const [now, top] = [performance.now(), globalThis.scrollY];
    const pxPerMs = Math.abs(top - this.#lastScroll.top) / Math.max(1, now - this.#lastScroll.timeMs);
    this.#lastScroll = { timeMs: now, top };
    clearTimeout(this.#settleTimer);
    if (pxPerMs > FAST_SCROLL_PX_PER_MS) this.#settleTimer = setTimeout(() => this.#showPending(), SCROLL_SETTLE_MS);
    else this.#showPending();
  }

  /** A rendered block stays mounted, so that scrolling does not discard its state. */
  #showPending(): void {
    for (const dom of this.#pending) {
      this.#near.add(dom);
      this.#observer?.unobserve(dom);
    }
    this.#pending.clear();
    this.#notify();
  }

  /** Deferred, because React must not render while a transaction is being applied. */
  #notify(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      this.#shown = [...this.#near].flatMap((dom) => this.#mounts.get(dom) ?? []);
      for (const listener of this.#listeners) listener();
    });
  }
}

const ROW_PX = 44;
const PREVIEW_ROWS = 12;

/** Estimated height, to limit layout shift when a block is rendered. */
function estimateHeight(block: Block): number {
  const { cards } = block.content as { cards?: unknown };
  if (Array.isArray(cards)) return 56 + Math.min(PREVIEW_ROWS, cards.length) * ROW_PX;
  return block.type === "divider" ? 24 : 64;
}

/** Node view of a component block: ProseMirror owns the element, React renders its content. */
export const createBlockView =
  (mounts: BlockMounts) =>
  (first: PmNode, view: EditorView, getPos: () => number | undefined): NodeView => {
    let node = first;
    const dom = document.createElement("div");
    dom.className = "page-block";
    dom.contentEditable = "false";
    dom.dataset["component"] = String(node.attrs["type"]);
    dom.style.minHeight = `${estimateHeight(toStoredBlock(node))}px`;
    mounts.add(dom, toStoredBlock(node));
    focusWhenRendered(dom, String(node.attrs["type"]), view);
    const select = () => {
      const pos = getPos();
      if (pos === undefined) return;
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
      view.focus();
    };
    dom.addEventListener("keydown", (event) => {
      if (!shouldLeaveField(event, String(node.attrs["type"])) || event.defaultPrevented) return;
      event.stopPropagation();
      select();
    });
    return {
      dom,
      update(next) {
        if (next.type !== node.type || next.attrs["type"] !== node.attrs["type"]) return false;
        if (next !== node) mounts.change(dom, { block: toStoredBlock(next) });
        node = next;
        return true;
      },
      selectNode: () => {
        dom.classList.add("is-selected");
        mounts.change(dom, { isSelected: true });
      },
      deselectNode: () => {
        dom.classList.remove("is-selected");
        mounts.change(dom, { isSelected: false });
      },
      stopEvent: (event) =>
        event.target instanceof Element &&
        event.target.closest(interactiveSelector) !== null &&
        dom.contains(event.target.closest(interactiveSelector)),
      ignoreMutation: () => true,
      destroy: () => mounts.remove(dom),
    };
  };
