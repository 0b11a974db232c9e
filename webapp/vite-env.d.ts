/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Where what pdf.js fetches lies, with a slash at the end. */
  readonly VITE_PDF_ASSETS: string;
}
