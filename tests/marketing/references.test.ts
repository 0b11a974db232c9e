import { expect, onTestFinished, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { answerReference } from "#tests/kit/servers/reference-services.ts";
import { anOutsideServer } from "#tests/kit/servers/outside-server.ts";

async function aVisitor(lookups = "doi,isbn,url") {
  const outside = await anOutsideServer(answerReference);
  const api = await startApi({
    env: {
      CITATION_LOOKUPS: lookups,
      CROSSREF_URL: outside.origin,
      OPENLIBRARY_URL: outside.origin,
      RATE_LIMIT_FACTOR: "1",
    },
  });
  const { marketing } = api.clientFor();
  return {
    api,
    outside,
    marketing,
    find: async (identifier: string) => (await marketing.lookUpReference({ identifier })).reference,
  };
}

test("a visitor looks up a paper by its DOI, a book by its ISBN and a page by its address", async () => {
  const { find, outside } = await aVisitor();
  expect(await find("https://doi.org/10.1038/171737a0")).toEqual({
    type: "article-journal",
    authors: "Watson, James D.\nGenome Group",
    title: "Growth of E. coli & friends",
    "container-title": "Nature",
    date: "1953-04-25",
    publisher: "Springer",
    volume: "171",
    issue: "4356",
    page: "737-738",
    DOI: "10.1038/171737a0",
  });
  expect(await find("978-0-306-40615-7")).toEqual({
    type: "book",
    authors: "Curie, Marie",
    title: "Radioactivity: a history",
    date: "1980-03-05",
    publisher: "Plenum",
    "publisher-place": "New York",
    ISBN: "9780306406157",
  });
  expect(await find(`${outside.origin}/article`)).toEqual({
    type: "article-newspaper",
    authors: "Lovelace, Ada\nCoast Desk",
    title: "Why tides & moons agree",
    "container-title": "The Coast",
    date: "2024-05-17",
    URL: `${outside.origin}/article`,
  });
  expect(await find(`${outside.origin}/scholar`)).toMatchObject({
    type: "article-journal",
    authors: "Kepler, Johannes\nBrahe, Tycho",
    "container-title": "Astronomy",
    date: "1609-07-01",
    page: "3-9",
    DOI: "10.1000/182",
  });
});

test("unknown, unanswered and invalid identifiers fail with a clear reason, and private addresses are refused", async () => {
  const { find, outside } = await aVisitor();
  for (const unknown of ["10.1038/nothing", "0-306-40615-2", `${outside.origin}/gone`, `${outside.origin}/bare`])
    await expect(find(unknown)).rejects.toMatchObject({ code: "not_found" });
  await expect(find(`${outside.origin}/file`)).rejects.toMatchObject({ code: "not_found" });
  for (const silent of ["10.1038/busy", "10.1038/other", "http://127.0.0.1:9/", "http://169.254.169.254/latest"])
    await expect(find(silent)).rejects.toMatchObject({ code: "unreachable" });
  const before = outside.asked.length;
  for (const wrong of ["978-3-16-148410-1", "just words", "ftp://example.org/x", "javascript:alert(1)"])
    await expect(find(wrong)).rejects.toMatchObject({ code: "bad_input" });
  expect(outside.asked.length).toBe(before);
});

test("lookups are offered and made only for the kinds that the setting names", async () => {
  const off = await aVisitor("");
  expect((await off.marketing.getReferenceLookups({})).kinds).toEqual([]);
  await expect(off.find("10.1038/171737a0")).rejects.toMatchObject({ code: "not_configured" });
  expect(off.outside.asked).toEqual([]);
  const books = await aVisitor("isbn");
  expect((await books.marketing.getReferenceLookups({})).kinds).toEqual(["isbn"]);
  await expect(books.find("10.1038/171737a0")).rejects.toMatchObject({ code: "not_configured" });
  expect((await books.find("9780306406157")).title).toBe("Radioactivity: a history");
});

test("a lookup frees its slot when its visitor leaves, and each address may look up twenty times an hour", async () => {
  const { api, find, outside } = await aVisitor();
  const control = new AbortController();
  onTestFinished(() => control.abort());
  const hanging = Array.from({ length: 4 }, () =>
    fetch(`${api.origin}/v1/references/lookup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identifier: "10.1038/never" }),
      signal: control.signal,
    }).catch(() => "cancelled"),
  );
  await expect.poll(() => outside.asked.length).toBe(4);
  control.abort();
  expect(await Promise.all(hanging)).toEqual(Array.from({ length: 4 }, () => "cancelled"));
  for (let count = 4; count < 20; count += 1) await find("10.1038/171737a0");
  await expect(find("10.1038/171737a0")).rejects.toMatchObject({ code: "too_many_requests" });
});
