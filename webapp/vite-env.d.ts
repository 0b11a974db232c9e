/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Base URL of the files pdf.js loads, with a trailing slash. */
  readonly VITE_PDF_ASSETS: string;
  /** Folder of the language data for recognising text in pictures; public pages only. */
  readonly VITE_RECOGNITION: string;
  /** Path of the citation styles that are found by name. */
  readonly VITE_STYLES: string;
}
