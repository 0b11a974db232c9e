import { createWorker, type Line, OEM, type Page, type Word, type Worker } from "tesseract.js";
import type { OcrWord } from "#shared/pdf/ocr-passages.ts";
import { passagesFromWords } from "#shared/pdf/ocr-passages.ts";
import type { Locator, Passage } from "#shared/pdf/schema.ts";
import { getModelFolder } from "./ocr-languages.ts";
import { type Raster, halveRaster, rotateRaster } from "./rasters.ts";

/** Per cent. A page recognised with more confidence is upright. */
const UPRIGHT_CONFIDENCE = 65;
/** Words below this confidence are dropped as specks. */
const MIN_CONFIDENCE = 40;
/**
 * If fewer words than this share are confident, the page counts as having no text, because even a photo of a face
 * yields a few guesses.
 */
const MIN_CONFIDENT_SHARE = 0.3;
const CONFIDENT_WORD = 60;
/** Below this word count, other rotations are not tried. */
const MIN_WORDS_TO_ROTATE = 4;
const MIN_IMPROVEMENT = 5;
const MAX_WORDS = 20_000;

/** One loaded OCR engine for one language; processes one page at a time. */
export class Recogniser {
  readonly #worker: Worker;
  readonly language: string;

  private constructor(worker: Worker, language: string) {
    this.#worker = worker;
    this.language = language;
  }

  /** Loads the model from disk; downloads and writes nothing. */
  static async load(language: string): Promise<Recogniser> {
    const worker = await createWorker(language, OEM.LSTM_ONLY, {
      langPath: getModelFolder(language),
      gzip: true,
      cacheMethod: "none",
      // The rejected call reports a worker's failure; without this handler it would also end the process.
      errorHandler: () => undefined,
    });
    return new Recogniser(worker, language);
  }

  close(): Promise<unknown> {
    return this.#worker.terminate();
  }

  /** The passages of a page, with positions in points of the upright page. Detects rotated pages. */
  async read(raster: Raster, page: number): Promise<Passage[]> {
    const upright = await this.#recognise(raster);
    const quarters = isUncertain(upright) ? await this.#findRotation(raster) : 0;
    const recognised = quarters === 0 ? upright : await this.#recognise(await rotateRaster(raster, quarters));
    const turned = quarters % 2 === 1 ? { width: raster.height, height: raster.width } : raster;
    const passages = passagesFromWords({
      page,
      width: turned.width,
      height: turned.height,
      words: selectWords(recognised),
    });
    const transform = { quarters, radians: recognised.rotateRadians ?? 0, raster, turned };
    return passages.map((passage) => ({ ...passage, locator: toPoints(passage.locator, transform) }));
  }

  /** The number of quarter turns that make the page upright, tried at half size for speed. */
  async #findRotation(raster: Raster): Promise<number> {
    const small = await halveRaster(raster);
    let best = { quarters: 0, confidence: (await this.#recognise(small)).confidence + MIN_IMPROVEMENT };
    for (const quarters of [3, 1, 2]) {
      const { confidence } = await this.#recognise(await rotateRaster(small, quarters));
      if (confidence > best.confidence) best = { quarters, confidence };
      if (confidence >= UPRIGHT_CONFIDENCE) break;
    }
    return best.quarters;
  }

  async #recognise({ image }: Raster): Promise<Page> {
    const { data } = await this.#worker.recognize(image, { rotateAuto: true }, { blocks: true, text: false });
    return data;
  }
}

function isUncertain(page: Page): boolean {
  return page.confidence < UPRIGHT_CONFIDENCE && listWords(page).length >= MIN_WORDS_TO_ROTATE;
}

function listLines({ blocks }: Page): Line[] {
  return (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines));
}

function listWords(page: Page): Word[] {
  return listLines(page).flatMap(({ words }) => words);
}

function selectWords(page: Page): OcrWord[] {
  const all = listWords(page);
  if (all.filter(({ confidence }) => confidence >= CONFIDENT_WORD).length < MIN_CONFIDENT_SHARE * all.length) return [];
  const words: OcrWord[] = [];
  for (const line of listLines(page)) {
    const height = Math.max(1, line.rowAttributes.rowHeight || line.bbox.y1 - line.bbox.y0);
    for (const { text, confidence, bbox } of line.words) {
      if (confidence < MIN_CONFIDENCE || text.trim() === "" || words.length >= MAX_WORDS) continue;
      words.push({ text, x0: bbox.x0, x1: bbox.x1, baseline: baselineAt(line, bbox), lineHeight: 0.8 * height });
    }
  }
  return words;
}

/** On a slightly skewed page, lines rise or fall. */
function baselineAt({ baseline: { x0, x1, y0, y1 } }: Line, word: { x0: number; x1: number }): number {
  const share = x1 === x0 ? 0 : ((word.x0 + word.x1) / 2 - x0) / (x1 - x0);
  return y0 + share * (y1 - y0);
}

interface PageTransform {
  quarters: number;
  /** The deskew angle that the engine applied. */
  radians: number;
  raster: Raster;
  turned: { width: number; height: number };
}

/** Maps a box from the rotated and deskewed image back to the page as displayed. */
function toPoints(locator: Locator, transform: PageTransform): Locator {
  if (!locator.rect) return locator;
  const [x, y, width, height] = locator.rect;
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ] as const;
  const points = corners.map(([cx, cy]) => unrotate(...deskew(cx, cy, transform), transform));
  const xs = points.map((point) => point[0] / transform.raster.scale);
  const ys = points.map((point) => point[1] / transform.raster.scale);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { ...locator, rect: [round(left), round(top), round(Math.max(...xs) - left), round(Math.max(...ys) - top)] };
}

function deskew(x: number, y: number, { radians, turned }: PageTransform): [number, number] {
  if (radians === 0) return [x, y];
  const [dx, dy] = [x - turned.width / 2, y - turned.height / 2];
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [turned.width / 2 + dx * cos + dy * sin, turned.height / 2 - dx * sin + dy * cos];
}

function unrotate(x: number, y: number, { quarters, raster }: PageTransform): [number, number] {
  if (quarters === 1) return [y, raster.height - x];
  if (quarters === 2) return [raster.width - x, raster.height - y];
  return quarters === 3 ? [raster.width - y, x] : [x, y];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
