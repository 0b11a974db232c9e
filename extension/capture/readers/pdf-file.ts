import { classifyFile } from "#shared/uploads/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { translateReason } from "#shared/messages/translate.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { words } from "#extension/words/words.ts";

const HEAD_BYTES = 4100;
/** Far above any plan; the server checks the plan's limit before the upload. */
const MAX_BYTES = 1024 ** 3;

/** The file name in a URL. */
export function fileNameFromAddress(address: string): string {
  const last = URL.canParse(address) ? (new URL(address).pathname.split("/").at(-1) ?? "") : "";
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Keep the encoded name; it is only shown to people.
  }
  return /\.pdf$/i.test(name) ? name.slice(-200) : `${name.slice(0, 190) || "document"}.pdf`;
}

/** Throws if the bytes are not a PDF, with the reason as message. */
export async function checkPdf(file: Blob, name: string): Promise<void> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const text = new TextDecoder("latin1").decode(head).trimStart().toLowerCase();
  if (text.startsWith("<!doctype html") || text.startsWith("<html"))
    throw new Failure("invalid_pdf", { message: words.pdf_is_page });
  const verdict = classifyFile({ name, type: "application/pdf", sizeBytes: file.size, head });
  if (!verdict.ok) throw new Failure(verdict.code, { ...verdict.why, message: translateReason(verdict.why) });
  if (verdict.type.extension !== "pdf") throw new Failure("invalid_pdf", { message: words.pdf_is_other });
}

/** A failure that granting access to the site may fix. */
export class NoAccessError extends Error {}

/**
 * Downloads a PDF with the browser's cookies for its site. Throws `NoResponseError` without a connection and `NoAccessError` if the
 * extension may not read from the site.
 */
export async function fetchPdf(address: string): Promise<Blob> {
  let answer: Response;
  try {
    answer = await fetch(address.split("#")[0] ?? address, { credentials: "include" });
  } catch {
    if (!navigator.onLine) throw new NoResponseError("network");
    throw new NoAccessError();
  }
  if (!answer.ok)
    throw new Failure("invalid_pdf", {
      message: answer.status === 401 || answer.status === 403 ? words.pdf_closed : words.pdf_once,
    });
  if (Number(answer.headers.get("content-length") ?? 0) > MAX_BYTES)
    throw new Failure("too_large", { message: words.pdf_too_large });
  return answer.blob().catch(() => {
    throw new NoResponseError("network");
  });
}
