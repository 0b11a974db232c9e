import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { strToU8 } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { startSandboxed } from "#api/documents/process/sandboxed-process.ts";
import { readDocument, recognisePages } from "#api/documents/document-reader.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import { startApi } from "#tests/kit/api.ts";
import { madeDocx, wordParagraph } from "./made-office.ts";
import { withTable } from "./made-pdf.ts";

/** Listens on one port for TCP connections and UDP datagrams, and records them. */
async function aListener() {
  const calls: string[] = [];
  const server = createServer((socket) => {
    calls.push("connection");
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket("udp4");
  datagrams.on("message", () => calls.push("datagram"));
  datagrams.bind(port, "127.0.0.1");
  await once(datagrams, "listening");
  onTestFinished(() => {
    server.close();
    datagrams.close();
  });
  return { port, calls, origin: `http://127.0.0.1:${port}` };
}

const external = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`;

/** A Word file with an external picture, template and entity. */
function callingWord(origin: string): Uint8Array {
  const doctype = `<!DOCTYPE w:document [<!ENTITY far SYSTEM "${origin}/entity"><!ENTITY % more SYSTEM "${origin}/dtd"> %more;]>`;
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${external("far", "image", `${origin}/picture.png`)}${external("model", "attachedTemplate", `${origin}/template.dotm`)}</Relationships>`;
  const picture = `<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="far"/></w:drawing></w:r></w:p>`;
  const body = wordParagraph("Ribosomes build proteins from amino acids.") + picture;
  return madeDocx(body, { doctype, extra: { "word/_rels/document.xml.rels": relations } });
}

/** A PDF with external content, pictures, fonts and actions. */
function callingPdf(origin: string): Uint8Array {
  const externalFile = `<</FS/URL/F(${origin}/stream)>>`;
  const content = "BT /f 12 Tf 72 700 Td (Ribosomes build proteins from amino acids.) Tj ET /x Do";
  return withTable(
    [
      `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${origin}/open)>>/AA<</WC<</S/SubmitForm/F ${externalFile}>>>>>>`,
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[4 0 R 5 0 R]/Resources<</Font<</f 7 0 R>>/XObject<</x 6 0 R>>>>/AA<</O<</S/URI/URI(${origin}/page)>>>>>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      `<</Length 0/F ${externalFile}>>\nstream\n\nendstream`,
      `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 0/F ${externalFile}>>\nstream\n\nendstream`,
      `<</Type/Font/Subtype/TrueType/BaseFont/Elsewhere/FontDescriptor<</Type/FontDescriptor/FontName/Elsewhere/Flags 32/FontFile2 5 0 R>>>>`,
    ].map((text) => Buffer.from(text)),
  );
}

const callingPage = (origin: string) =>
  `<!doctype html><base href="${origin}/"><link rel="stylesheet" href="style.css"><script src="${origin}/x.js"></script>
  <meta http-equiv="refresh" content="0;url=${origin}/next"><p>Ribosomes build proteins from amino acids.</p>
  <img src="picture.png"><iframe src="${origin}/frame"></iframe><object data="${origin}/object"></object>
  <svg><image href="${origin}/drawing.svg"/></svg><video poster="${origin}/poster" src="${origin}/film"></video>`;

test("parsing a file that contains addresses sends no request to them", async () => {
  const { calls, origin } = await aListener();
  const api = await startApi();
  const ada = await api.newUser({ plan: "ULTIMATE" });
  const made = [
    ["calling.docx", callingWord(origin)],
    ["calling.pdf", callingPdf(origin)],
  ] as const;
  for (const [name, bytes] of made) {
    const files = [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name }];
    const { component } = await ada.client.uploads.uploadImageComponent({}, files);
    const { passages } = await ada.client.pdf.getPassages({ id: component._id });
    expect(passages.map(({ text }) => text).join(" "), name).toContain("Ribosomes build proteins");
    if (name.endsWith(".pdf"))
      await (await ada.client.uploads.getPdfThumbnail({ componentId: component._id })).bytes().catch(() => undefined);
  }
  const texts: string[] = [];
  for await (const { passages } of readDocument("html", strToU8(callingPage(origin))))
    texts.push(...passages.map(({ text }) => text));

  expect(texts.join(" ")).toContain("Ribosomes build proteins");
  expect(calls).toEqual([]);
});

const callingDrawing = (origin: string) =>
  `<?xml version="1.0"?><?xml-stylesheet href="${origin}/style.css"?><!DOCTYPE svg [<!ENTITY far SYSTEM "${origin}/entity">]>
  <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">
  <image xlink:href="${origin}/picture.png" width="9" height="9"/><use xlink:href="${origin}/drawing.svg#a"/>
  <image xlink:href="file:///etc/passwd" width="9" height="9"/><text>&far;</text></svg>`;

test("a drawing that references addresses and files isn't opened, even if named like a photo", async () => {
  const { calls, origin } = await aListener();
  const path = join(await mkdtemp(join(tmpdir(), "lamplight-")), "photo.png");
  await writeFile(path, callingDrawing(origin));
  onTestFinished(() => rm(dirname(path), { recursive: true }));

  expect(await makeThumbnail({ path, isPdf: false })).toBeUndefined();
  const reading = recognisePages("image", path, [1], { language: "eng" }).next();
  await expect(reading).rejects.toMatchObject({ fault: "corrupt" });
  const api = await startApi();
  const ada = await api.newUser();
  const files = [{ field: "file", file: new Blob([callingDrawing(origin)], { type: "image/png" }), name: "photo.png" }];
  await expect(ada.client.uploads.uploadImageComponent({}, files)).rejects.toMatchObject({ status: 400 });
  expect(calls).toEqual([]);
});

test("a program that parses files can't open any connection", async () => {
  const { calls, port } = await aListener();
  const child = startSandboxed(fileURLToPath(new URL("./calling-child.ts", import.meta.url)), {
    heapMb: 128,
    usesNativeCode: false,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const answered = once(child, "message");
  child.send(port);
  const [answer] = (await answered) as [unknown];

  expect(answer).toEqual({ tried: 7, got: [] });
  expect(calls).toEqual([]);
});
