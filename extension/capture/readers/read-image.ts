// Runs in the page, in the extension's own world: where a picture stands, and what is said of it.
export interface SeenImage {
  rect: { x: number; y: number; w: number; h: number };
  /** Pixels of the screen for each of the page. */
  ratio: number;
  alt: string;
}

/** The picture of this address, brought into view; null where it is not on the page any longer. */
export async function readImage(src: string): Promise<SeenImage | null> {
  const image = [...document.images].find(({ currentSrc, src: own }) => currentSrc === src || own === src);
  if (!image) return null;
  image.scrollIntoView({ block: "center", behavior: "instant" });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y, width, height } = image.getBoundingClientRect();
  return { rect: { x, y, w: width, h: height }, ratio: devicePixelRatio, alt: image.alt.trim().slice(0, 300) };
}
