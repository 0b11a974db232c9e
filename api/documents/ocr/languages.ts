import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** English comes with the program; others are packages of the same family, installed beside it. */
export const DEFAULT_LANGUAGE = "eng";
const FAMILY = "@tesseract.js-data";
const MODEL = "4.0.0_best_int";

const familyFolder = dirname(
  dirname(createRequire(import.meta.url).resolve(`${FAMILY}/${DEFAULT_LANGUAGE}/package.json`)),
);

/** Codes of the languages whose models are installed (ISO 639-2, as `eng`), English first. */
export function installedLanguages(): string[] {
  const found = readdirSync(familyFolder).filter((name) => /^[a-z]{3}(?:_[a-z]+)?$/u.test(name));
  return [DEFAULT_LANGUAGE, ...found.filter((name) => name !== DEFAULT_LANGUAGE)];
}

/** The folder that holds the model of an installed language. */
export function modelFolder(language: string): string {
  return join(familyFolder, language, MODEL);
}
