/** A position in the window. */
export interface WindowBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Finds a range in the window again, after the window or the text in it has changed its size. If the text was rendered
 * again, as on a zoomed page of a document, it is found by its share of the host.
 */
export function trackRange(range: Range, host: Element): () => WindowBox {
  const first = range.getBoundingClientRect();
  const frame = host.getBoundingClientRect();
  const [width, height] = [frame.width || 1, frame.height || 1];
  const share = {
    left: (first.left - frame.left) / width,
    right: (first.right - frame.left) / width,
    top: (first.top - frame.top) / height,
    bottom: (first.bottom - frame.top) / height,
  };
  return () => {
    const box = range.getBoundingClientRect();
    if (box.width > 0) return box;
    const now = host.getBoundingClientRect();
    return {
      left: now.left + share.left * now.width,
      right: now.left + share.right * now.width,
      top: now.top + share.top * now.height,
      bottom: now.top + share.bottom * now.height,
    };
  };
}
