import { uploadTypes } from "#shared/uploads/rules.ts";
import { client } from "#webapp/app/client.ts";

/** Downloads the file at an address and names it by its type. */
export async function fetchLinkedFile(address: string, signal: AbortSignal): Promise<File> {
  const trimmed = address.trim();
  const url = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const blob = await client.uploads.downloadImage({ url }, { signal });
  const extension = uploadTypes.find(({ mime }) => mime === blob.type)?.extension ?? "bin";
  return new File([blob], `${fileStem(url)}.${extension}`, { type: blob.type });
}

function fileStem(url: string): string {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  const stem = safeDecode(last).replace(/\.[a-z0-9]{1,5}$/i, "");
  return stem === "" ? (URL.parse(url)?.hostname ?? "file") : stem;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
