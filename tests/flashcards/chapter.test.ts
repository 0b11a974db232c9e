import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findExactQuote } from "#shared/text/quotes.ts";
import { parseCitation } from "#shared/citations.ts";
import { startApi } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";

const folder = corpusFolder("textbook");

test.skipIf(folder === undefined).each(["lamplight-builtin", "test-model"])(
  "every card of a textbook chapter made by %s cites a page that contains its quote",
  async (model) => {
    const server = await startModelServer({ script: ["good", "cut", "malformed", "rate_limited"] });
    onTestFinished(() => server.close());
    const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODELS: "test-model" } });
    const ada = await api.newUser();
    const pageId = await aPage(ada);
    const target = { pageId, componentId: await aDeck(ada, pageId, []) };
    const file = new Blob([await readFile(join(folder ?? "", "15-genes-and-proteins.pdf"))]);
    const files = [{ field: "file", file, name: "15-genes-and-proteins.pdf" }];
    const { component } = await ada.client.uploads.uploadImageComponent({ pageId }, files);
    const options = { target, density: "MEDIUM" as const, model };
    const pdfComponents = [{ componentId: component._id, startPage: 3, endPage: 12 }];
    const { cards } = await ada.client.flashcards.generateCards({ pdfComponents, options }, []);

    expect(cards.length).toBeGreaterThan(40);
    expect(cards.length).toBeLessThanOrEqual(120);
    const { passages } = await ada.client.pdf.getPassages({ id: component._id });
    for (const { citation } of cards) {
      const cited = parseCitation(citation ?? "");
      if (cited?.type !== "pdf_citation") throw new Error(`no page is cited: ${citation}`);
      const { page } = cited;
      expect(page).toBeGreaterThanOrEqual(3);
      expect(page).toBeLessThanOrEqual(12);
      // A passage may continue on the next page.
      const near = passages.filter(({ locator }) => locator.page === page || locator.page === page + 1);
      expect(findExactQuote(near, cited.quote ?? "")?.page).toBe(page);
    }
  },
  60_000,
);
