import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { TestUser } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";

/** Builds the packages that sites share, once. A test that serves a site needs them. */
export async function buildSiteKitOnce(): Promise<void> {
  if (!existsSync("dist/site-kit/kit.js")) await promisify(execFile)(process.execPath, ["scripts/build-site-kit.mjs"]);
}

export const LINES = [
  "A gene is a stretch of DNA that holds the instructions for one product.",
  "A codon is a sequence of three nucleotides that names one amino acid.",
  "Transcription is the synthesis of RNA from a template of DNA.",
  "In 1953 Watson and Crick described the double helix of DNA.",
  "A ribosome is the particle on which amino acids are joined to a protein.",
  "In 1869 Friedrich Miescher isolated a substance from the nuclei of cells.",
];

/** A page of notes and a deck of four cards, as sources of a site. */
export async function aCourse(user: Pick<TestUser, "client">): Promise<{ page: string; deck: string }> {
  const pageId = await aPage(user, "Genes and proteins");
  for (const line of LINES) await aText(user, pageId, line);
  const cards = ["codon", "exon", "intron", "ribosome"].map((term) => aCard(term, `What is a ${term}?`));
  const deckId = await aDeck(user, pageId, cards);
  return { page: `page:${pageId}`, deck: `deck:${deckId}` };
}

/** Requests a file of a preview as the frame in the app does. */
export async function readPreview(
  devUrl: string | null,
  file = "",
  encoding = "gzip",
): Promise<{ text: string; headers: Headers; status: number }> {
  const headers = { "sec-fetch-dest": "iframe", "accept-encoding": encoding };
  const response = await fetch(`${devUrl ?? ""}${file}`, { headers });
  return { text: await response.text(), headers: response.headers, status: response.status };
}
