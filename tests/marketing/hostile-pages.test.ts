import { expect, test } from "vitest";
import { toPageReference } from "#api/marketing/references/page-metadata.ts";

const page = { url: "https://a.example/", contentType: "text/html" };
const read = (html: string) => toPageReference(Buffer.from(html), page);
const title = '<meta name="citation_title" content="Cells">';

/** CPU time of the fastest of three runs, because other load on the machine slows the others. */
function measureCpu(html: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    read(html);
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

test("only 60 authors are read from a page that names half a million", () => {
  const tags = `<meta name="citation_author" content="${"&amp;amp;a;".repeat(350)}">`.repeat(120);
  expect(read(title + tags)?.authors?.split("\n")).toHaveLength(60);
  const author = Array.from({ length: 5_000 }, (_, at) => `Author ${at}`);
  const linked = JSON.stringify({ "@type": "Article", headline: "Cells", author });
  const found = read(`<script type="application/ld+json">${linked}</script>`);
  expect(found?.authors?.split("\n")).toHaveLength(60);
});

test("the work for unclosed elements grows no faster than the page", () => {
  const [short, long] = [60_000, 480_000].map((chars) => measureCpu(title + "<meta ".repeat(chars / 6)));
  expect((long ?? 0) / Math.max(1_000, short ?? 0)).toBeLessThan(24);
});
