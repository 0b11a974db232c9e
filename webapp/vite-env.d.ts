/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Base URL of the files pdf.js loads, with a trailing slash. */
  readonly VITE_PDF_ASSETS: string;
  /** Folder of the language data for recognising text in pictures; set only for the public pages. */
  readonly VITE_RECOGNITION: string;
  /** Path of the citation styles that can be found by name. */
  readonly VITE_STYLES: string;
}
