/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Base URL of the files pdf.js loads, with a trailing slash. */
  readonly VITE_PDF_ASSETS: string;
}
