// Injected into the isolated world: finds an image's position and alternative text.
export interface SeenImage {
  rect: { x: number; y: number; w: number; h: number };
  /** Device pixels per CSS pixel. */
  ratio: number;
  alt: string;
}

/** Scrolls the image of this URL into view; null if it is gone from the page. */
export async function readImage(src: string): Promise<SeenImage | null> {
  const image = [...document.images].find(({ currentSrc, src: source }) => currentSrc === src || source === src);
  if (!image) return null;
  image.scrollIntoView({ block: "center", behavior: "instant" });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y, width, height } = image.getBoundingClientRect();
  return { rect: { x, y, w: width, h: height }, ratio: devicePixelRatio, alt: image.alt.trim().slice(0, 300) };
}
