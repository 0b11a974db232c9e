import type { Reason } from "#shared/messages/reasons.ts";

/** Which call a file goes through, and which kind of component it becomes. */
export type UploadFamily = "image" | "video";

/** A file type that may be uploaded, with the extension of its stored id. */
export interface UploadType {
  family: UploadFamily;
  mime: string;
  extension: string;
  /** Pictures are free; documents count against the daily limit. */
  countsAgainstDay: boolean;
}

const image = (mime: string, extension: string): UploadType => ({
  family: "image",
  mime,
  extension,
  countsAgainstDay: false,
});
const office = (mime: string, extension: string): UploadType => ({ ...image(mime, extension), countsAgainstDay: true });
const video = (mime: string, extension: string): UploadType => ({ ...office(mime, extension), family: "video" });

const PDF = office("application/pdf", "pdf");
const DOC = office("application/msword", "doc");
const DOCX = office("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx");
const PPT = office("application/vnd.ms-powerpoint", "ppt");
const PPTX = office("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx");
const JPEG = image("image/jpeg", "jpg");
const PNG = image("image/png", "png");
const GIF = image("image/gif", "gif");
const BMP = image("image/bmp", "bmp");
const WEBP = image("image/webp", "webp");
const TIFF = image("image/tiff", "tiff");

const MP4 = video("video/mp4", "mp4");
const MOV = video("video/quicktime", "mov");
const WEBM = video("video/webm", "webm");
const OGG = video("video/ogg", "ogv");
const AVI = video("video/x-msvideo", "avi");

export const uploadTypes: readonly UploadType[] = [JPEG, PNG, GIF, BMP, WEBP, TIFF, PDF, DOC, DOCX, PPT, PPTX];
const videoTypes: readonly UploadType[] = [MP4, MOV, WEBM, OGG, AVI];

const allTypes: readonly UploadType[] = [...uploadTypes, ...videoTypes];
/** Other extensions of the same types. */
const otherVideoExtensions = ["m4v", "ogg", "qt"];
const extensions = ["jpeg", "tif", ...otherVideoExtensions, ...allTypes.map(({ extension }) => extension)];

/** The `accept` attribute of file inputs. */
export const uploadAccept = [
  ...allTypes.map(({ mime }) => mime),
  ...extensions.map((extension) => `.${extension}`),
].join(",");

/** Whether a file may be of a type that can be uploaded, judged by its extension. */
export const isUploadable = (name: string): boolean => extensions.includes(extensionOf(name));

interface OfferedFile {
  name: string;
  /** The media type that the client claims; may be empty. */
  type: string;
  sizeBytes: number;
  /** The first bytes: 4,100 are enough. */
  head: Uint8Array;
}

type FileVerdict =
  | { ok: true; type: UploadType }
  | { ok: false; code: "invalid_file" | "invalid_pdf" | "unsupported_file_type"; why: Reason };

/**
 * Determines a file's type from its content; its name and claimed type only select the message, or one of two types
 * that share a container.
 */
export function classifyFile(file: OfferedFile): FileVerdict {
  if (file.sizeBytes === 0) return { ok: false, code: "invalid_file", why: { reason: "file_empty" } };
  const type = typeByContent(file);
  if (type) return { ok: true, type };
  if (claimsType(file, PDF)) return { ok: false, code: "invalid_pdf", why: { reason: "pdf_invalid" } };
  return { ok: false, code: "unsupported_file_type", why: whyUnsupported(file) };
}

function whyUnsupported(file: OfferedFile): Reason {
  if (isHeic(file.head)) return { reason: "file_type_heic" };
  if (isAvif(file.head)) return { reason: "file_type_avif" };
  return { reason: "file_type_unsupported", params: { type: typeName(file) } };
}

/** The same for a video. */
export function classifyVideo(file: OfferedFile): FileVerdict {
  if (file.sizeBytes === 0) return { ok: false, code: "invalid_file", why: { reason: "file_empty" } };
  const type = videoTypeOf(file.head);
  return type
    ? { ok: true, type }
    : { ok: false, code: "unsupported_file_type", why: { reason: "video_type_unsupported" } };
}

/** The family by claimed type and extension: enough to choose the call. */
export function familyOf(file: Pick<OfferedFile, "name" | "type">): UploadFamily {
  const isNamed =
    videoTypes.some((type) => claimsType(file, type)) || otherVideoExtensions.includes(extensionOf(file.name));
  return file.type.startsWith("video/") || isNamed ? "video" : "image";
}

/** Whether a file will count against the daily limit, judged by its name and claimed type. */
export function mayCountAgainstDay(file: Pick<OfferedFile, "name" | "type">): boolean {
  return allTypes.some((type) => type.countsAgainstDay && claimsType(file, type));
}

/** First boxes of a QuickTime file without a brand. */
const quickTimeBoxes = ["moov", "mdat", "wide", "free", "skip", "pnot"];
/** Brands of the same container that contain pictures or only sound. */
const otherBrands = /^(hei[cmsx]|hev[cmsx]|mif1|msf1|avi[fs]|crx |M4[ABP] )/;

function videoTypeOf(head: Uint8Array): UploadType | undefined {
  if (hasBytes(head, "ftyp", 4)) {
    const brand = new TextDecoder("latin1").decode(head.subarray(8, 12));
    if (otherBrands.test(brand)) return undefined;
    return brand === "qt  " ? MOV : MP4;
  }
  if (quickTimeBoxes.some((box) => hasBytes(head, box, 4))) return MOV;
  if (hasBytes(head, "RIFF") && hasBytes(head, "AVI ", 8)) return AVI;
  if (hasBytes(head, "OggS")) return OGG;
  const names = new TextDecoder("latin1").decode(head.subarray(0, 64));
  return hasBytes(head, "\u001AE\u00DF\u00A3") && names.includes("webm") ? WEBM : undefined;
}

function typeByContent(file: OfferedFile): UploadType | undefined {
  const { head } = file;
  const simple = signatures.find(({ at = 0, bytes }) => hasBytes(head, bytes, at));
  if (simple?.type === WEBP && !hasBytes(head, "WEBP", 8)) return undefined;
  if (simple?.type === BMP && !isBitmap(head)) return undefined;
  if (simple) return simple.type;
  if (hasBytes(head, "PK\u0003\u0004")) return zipType(file);
  // Word and PowerPoint 97–2003 share one container format, which names its parts far behind the first bytes.
  if (hasBytes(head, "\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1"))
    return [DOC, PPT].find((type) => claimsType(file, type));
  return undefined;
}

interface Signature {
  bytes: string;
  at?: number;
  type: UploadType;
}

/** In Latin-1, one character per byte. */
const signatures: readonly Signature[] = [
  { bytes: "%PDF", type: PDF },
  { bytes: "\u00FF\u00D8\u00FF", type: JPEG },
  { bytes: "\u0089PNG\r\n\u001A\n", type: PNG },
  { bytes: "GIF87a", type: GIF },
  { bytes: "GIF89a", type: GIF },
  { bytes: "RIFF", type: WEBP },
  { bytes: "II*\u0000", type: TIFF },
  { bytes: "MM\u0000*", type: TIFF },
  { bytes: "BM", type: BMP },
];

function hasBytes(head: Uint8Array, bytes: string, at = 0): boolean {
  if (head.length < at + bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) {
    if (head[at + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}

/** Whether a file starts like a HEIC photo. */
export function isHeic(head: Uint8Array): boolean {
  return ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].some((brand) => hasBytes(head, `ftyp${brand}`, 4));
}

const isAvif = (head: Uint8Array) => ["avif", "avis"].some((brand) => hasBytes(head, `ftyp${brand}`, 4));

/** Two letters prove little: the header size that follows must also be valid. */
function isBitmap(head: Uint8Array): boolean {
  const headerBytes = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 18) return false;
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(headerBytes.getUint32(14, true));
}

function zipType(file: OfferedFile): UploadType | undefined {
  const names = new TextDecoder("latin1").decode(file.head);
  if (names.includes("word/")) return DOCX;
  if (names.includes("ppt/")) return PPTX;
  if (names.includes("xl/") || names.includes("mimetype")) return undefined;
  return [DOCX, PPTX].find((type) => claimsType(file, type));
}

function claimsType(file: Pick<OfferedFile, "name" | "type">, type: UploadType): boolean {
  return file.type === type.mime || extensionOf(file.name) === type.extension;
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/iu.exec(name)?.[1]?.toLowerCase() ?? "";
}

function typeName(file: OfferedFile): string {
  const isSpecific = file.type !== "" && file.type !== "application/octet-stream";
  return isSpecific ? file.type.slice(0, 100) : extensionOf(file.name) || "unknown";
}

const FOLDERS = /^.*[/\\]/u;
/** Control characters, and bidirectional controls that can hide an extension. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const UNPRINTABLE = /[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/gu;

/** A file name without folders and control characters, at a limited length. */
export function cleanFileName(name: string, type: UploadType): string {
  const base = name.replace(FOLDERS, "").replaceAll(UNPRINTABLE, "").trim().slice(-200);
  return base === "" || base.startsWith(".") ? `file.${type.extension}` : base;
}

/** A title for display: the name without its extension. */
export function titleOfFile(name: string): string {
  return (
    name
      .replace(/\.[a-z0-9]{1,8}$/iu, "")
      .replaceAll("_", " ")
      // A slug's dashes stand for spaces.
      .replace(/^(?=\S*-\S*-)[^\s–—]+$/u, (slug) => slug.replaceAll("-", " "))
      .trim() || name
  );
}
