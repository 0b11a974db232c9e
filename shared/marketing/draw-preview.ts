export const PREVIEW_WIDTH = 1200;
export const PREVIEW_HEIGHT = 630;
const MARGIN = 96;
const LINE_HEIGHT = 88;
const MAX_LINES = 4;

/** The parts of a canvas that are used, from any library. */
interface Canvas2D {
  fillStyle: unknown;
  font: string;
  fillRect: (x: number, y: number, width: number, height: number) => void;
  fillText: (text: string, x: number, y: number) => void;
  measureText: (text: string) => { width: number };
}

/** Draws the picture that chat apps show for a link: the page's name on paper, with one lit line. */
export function drawPreview(context: Canvas2D, name: string, family: string): void {
  context.fillStyle = "#fbfaf7";
  context.fillRect(0, 0, PREVIEW_WIDTH, PREVIEW_HEIGHT);
  context.font = `600 34px ${family}`;
  context.fillStyle = "#57544c";
  context.fillText("Lamplight", MARGIN, MARGIN + 20);
  context.font = `600 72px ${family}`;
  const lines = splitLines(context, name).slice(0, MAX_LINES);
  const top = PREVIEW_HEIGHT - MARGIN - (lines.length - 1) * LINE_HEIGHT;
  const last = lines.at(-1) ?? "";
  context.fillStyle = "#ffe7ab";
  context.fillRect(MARGIN - 12, top + (lines.length - 1) * LINE_HEIGHT - 62, context.measureText(last).width + 24, 84);
  context.fillStyle = "#1c1b18";
  for (const [index, line] of lines.entries()) context.fillText(line, MARGIN, top + index * LINE_HEIGHT);
}

function splitLines(context: Canvas2D, text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const extended = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && context.measureText(extended).width <= PREVIEW_WIDTH - 2 * MARGIN)
      lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  return lines;
}
