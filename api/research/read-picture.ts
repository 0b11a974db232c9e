import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "#shared/messages/language.ts";
import { DocumentUnreadableError, recognisePages } from "#api/documents/document-reader.ts";
import { listInstalledLanguages } from "#api/documents/ocr/ocr-languages.ts";

const PICTURE = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+=*)$/;
const MAX_CHARS = 1000;
const ocrLanguages: Readonly<Record<Language, string>> = { en: "eng", de: "deu" };

interface Reading {
  language: Language;
  signal: AbortSignal;
}

/** The words in a picture (a data URL), recognised on this server; empty if it has no words. */
export async function readPictureText(address: string, { language, signal }: Reading): Promise<string> {
  const encoded = PICTURE.exec(address)?.[1];
  const installed = listInstalledLanguages();
  const ocrLanguage = installed.includes(ocrLanguages[language]) ? ocrLanguages[language] : installed[0];
  if (encoded === undefined || ocrLanguage === undefined) return "";
  const folder = await mkdtemp(join(tmpdir(), "lamplight-picture-"));
  try {
    const path = join(folder, "picture");
    await writeFile(path, Buffer.from(encoded, "base64"));
    const texts: string[] = [];
    for await (const { passages } of recognisePages("image", path, [1], { language: ocrLanguage, signal }))
      texts.push(...passages.map(({ text }) => text));
    return texts.join(" ").replaceAll(/\s+/g, " ").trim().slice(0, MAX_CHARS);
  } catch (error) {
    if (error instanceof DocumentUnreadableError) return "";
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
