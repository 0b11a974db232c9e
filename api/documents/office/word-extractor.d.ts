declare module "word-extractor" {
  interface WordDocument {
    getBody(): string;
    getFootnotes(): string;
    getEndnotes(): string;
    getTextboxes(options?: { includeHeadersAndFooters?: boolean; includeBody?: boolean }): string;
  }
  /** Reads Word 97–2003 files. */
  export default class WordExtractor {
    extract(source: string | Buffer): Promise<WordDocument>;
  }
}
