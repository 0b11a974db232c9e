import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** English is included; other languages are npm packages of the same scope. */
export const DEFAULT_LANGUAGE = "eng";
const FAMILY = "@tesseract.js-data";
const MODEL = "4.0.0_best_int";

const familyFolder = dirname(
  dirname(createRequire(import.meta.url).resolve(`${FAMILY}/${DEFAULT_LANGUAGE}/package.json`)),
);

/** Codes of the installed languages (ISO 639-2, such as `eng`), English first. */
export function listInstalledLanguages(): string[] {
  const found = readdirSync(familyFolder).filter((name) => /^[a-z]{3}(?:_[a-z]+)?$/u.test(name));
  return [DEFAULT_LANGUAGE, ...found.filter((name) => name !== DEFAULT_LANGUAGE)];
}

/** The model folder of an installed language. */
export function getModelFolder(language: string): string {
  return join(familyFolder, language, MODEL);
}
