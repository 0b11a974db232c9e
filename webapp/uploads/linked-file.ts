import { uploadTypes } from "#shared/pdf/upload-rules.ts";
import { client } from "#webapp/app/client.ts";

/** Downloads the file at an address and names it by its type. */
export async function fetchLinked(address: string, signal: AbortSignal): Promise<File> {
  const written = address.trim();
  const url = /^[a-z][a-z0-9+.-]*:/i.test(written) ? written : `https://${written}`;
  const blob = await client.pages.downloadImage({ url }, { signal });
  const extension = uploadTypes.find(({ mime }) => mime === blob.type)?.extension ?? "bin";
  return new File([blob], `${stemOf(url)}.${extension}`, { type: blob.type });
}

function stemOf(url: string): string {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  const stem = decodedOr(last).replace(/\.[a-z0-9]{1,5}$/i, "");
  return stem === "" ? (URL.parse(url)?.hostname ?? "file") : stem;
}

function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
