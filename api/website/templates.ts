import { SiteDocument } from "#shared/website/schema.ts";
import { DOCUMENT_PATH, type SiteFiles } from "./project-files.ts";

const MAIN = `import { renderSite } from "lamplight-kit";
import site from "../site.json";
import "./style.css";

renderSite(site);
`;

const STYLE = `@import "tailwindcss";

/* Your own styles, for example: h1 { @apply tracking-tight; } */
`;

export const ENTRY_PATH = "/src/main.tsx";

/**
 * The document is parsed first, so that its fields are in the order of the schema and a comparison shows only what
 * changed.
 */
export const formatDocument = (document: SiteDocument): string =>
  `${JSON.stringify(SiteDocument.parse(document), undefined, 2)}\n`;

export const emptyDocument = (title: string): SiteDocument => ({
  version: 1,
  kind: "study_guide",
  title,
  subtitle: "",
  language: "en",
  theme: { accent: "forest", font: "serif" },
  sections: [],
});

/** Writes a document to its file, and adds the files that render it if they are missing. */
export function withDocument(files: SiteFiles, document: SiteDocument): Map<string, string> {
  const next = new Map(files);
  next.set(DOCUMENT_PATH, formatDocument(document));
  if (!next.has(ENTRY_PATH)) next.set(ENTRY_PATH, MAIN).set("/src/style.css", STYLE);
  return next;
}
