import { Failure } from "#shared/contract/failure.ts";
import type { FileAnswer, UserCtx } from "#api/http/handler.ts";
import { createZipAnswer, sanitizeFileName } from "#api/http/zip-response.ts";
import { buildServed } from "./preview/dev-servers.ts";
import { readSiteDocument, type SiteFiles } from "./project-files.ts";
import type { ProjectDoc } from "./store.ts";

/** Files on a disk have no headers, so a policy in the page keeps the site from the network. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'self' file: data: blob: 'unsafe-inline'; connect-src 'none'; form-action 'none'; frame-src 'none'; base-uri 'none'">\n`;

const README = `# {title}

Open index.html in a browser. It needs no server and no network; what you learn is stored in the browser.

- index.html, site.js, site.css, kit.js, kit.css: the website
- source/: the files it was built from
- SOURCES.md: where each line comes from
`;

/** Every line of the site with its citation, for readers. */
function listCitations(files: SiteFiles): string {
  const document = readSiteDocument(files);
  const lines = (document?.sections ?? []).flatMap(({ title, items }) => [
    `\n## ${title}\n`,
    ...items
      .filter(({ citation }) => citation !== null)
      .map(({ text, source, label }) => `- ${text.replaceAll(/\s+/g, " ").slice(0, 200)} (${source}, ${label})`),
  ]);
  return `# Sources\n${lines.join("\n")}\n`;
}

/** The built site with its files and sources, as a zip from which the site opens without a server. */
export async function createSiteZip({ blobs }: UserCtx, { name }: ProjectDoc, files: SiteFiles): Promise<FileAnswer> {
  const title = readSiteDocument(files)?.title ?? name;
  const built = await buildServed({ title, files }, POLICY);
  if ("faults" in built) throw new Failure("bad_input", "site_does_not_build");
  return createZipAnswer(blobs, `${sanitizeFileName(name || title)}.zip`, (zip) => {
    for (const [file, { body }] of built.served) zip.addBuffer(Buffer.from(body), file === "" ? "index.html" : file);
    for (const [path, text] of files) zip.addBuffer(Buffer.from(text), `source${path}`);
    zip.addBuffer(Buffer.from(listCitations(files)), "SOURCES.md");
    zip.addBuffer(Buffer.from(README.replace("{title}", title)), "README.md");
    return Promise.resolve();
  });
}
