import { fileURLToPath } from "node:url";
import type { Page } from "puppeteer";
import { scriptOf } from "#tests/kit/script-of.ts";

const PARTS = fileURLToPath(new URL("./extension-parts.ts", import.meta.url));

/** The extension's own modules as one script, to run in a document of the extension. */
export const bundleParts = (): Promise<string> => scriptOf(PARTS);

const WORDS = "the ribosome slides along the messenger one codon at a time until it meets a stop codon".split(" ");
const paragraph = (n: number) =>
  `<p id="p${n}">${Array.from({ length: 60 }, (_, i) => WORDS[(n * 5 + i) % WORDS.length]).join(" ")}.</p>`;

/** A lecture page of about `chars` characters, with a fact for a card. */
export function buildPage(chars: number): string {
  const fact = '<p id="fact">A codon is a sequence of three nucleotides that corresponds to a specific amino acid.</p>';
  const parts: string[] = [];
  for (let length = 0, n = 0; length < chars; n += 1) {
    const next = paragraph(n);
    parts.push(next);
    length += next.length;
  }
  return `<!doctype html><html lang="en"><title>Codons ${chars}</title><article><h1>Codons</h1>${fact}${parts.join("")}</article></html>`;
}

function buildBlock(n: number): string {
  if (n % 20 === 0) return `<h2>Part ${n / 20} of the chapter</h2>`;
  if (n % 20 === 7) return `<ul><li>${paragraph(n)}</li></ul>`;
  if (n % 50 === 13) return `<pre><code class="language-python">codons = rna[${n}:${n + 3}]</code></pre>`;
  return paragraph(n)
    .replace("ribosome", '<a href="/ribosome">ribosome</a>')
    .replace("messenger", "<em>messenger</em>");
}

/** A chapter of `blocks` blocks: headings, paragraphs with a link and emphasis, lists and code. */
export function buildChapter(blocks: number): string {
  const parts = Array.from({ length: blocks }, (_, n) => buildBlock(n + 1));
  return `<!doctype html><html lang="en"><title>A long chapter</title><nav>Home</nav><article><h1>A long chapter</h1>${parts.join("")}</article><footer>Imprint</footer></html>`;
}

/** The size of a page and its number of script worlds, to compare with a browser without the extension. */
export async function measureFootprint(page: Page, address: string): Promise<{ bytes: number; worlds: number }> {
  const session = await page.createCDPSession();
  const worlds = new Set<number>();
  session.on("Runtime.executionContextCreated", ({ context }) => void worlds.add(context.id));
  await session.send("Runtime.enable");
  await page.goto(address);
  await page.bringToFront();
  const bytes = await page.evaluate(
    () => new TextEncoder().encode(document.documentElement.outerHTML).length + document.adoptedStyleSheets.length,
  );
  await session.detach();
  return { bytes, worlds: worlds.size };
}

/** 95th percentile by nearest rank. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
