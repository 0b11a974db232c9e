import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aChange, anAnnotation, aPage, send } from "#tests/store/changes.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

async function aStudentWithPdf() {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const files = [{ field: "file", file: tinyPdf([["A codon names one amino acid."]]), name: "genes.pdf" }];
  const { component } = await ada.client.uploads.uploadImageComponent({ pageId }, files);
  return { api, ada, id: component._id };
}

test("queued annotations are listed with their document, by page and from top to bottom", async () => {
  const { ada, id } = await aStudentWithPdf();
  const [low, high, later] = [ulid(), ulid(), ulid()];
  const marks = [
    anAnnotation(later, id, { page: 2, places: [{ page: 2, rects: [[72, 20, 60, 12]] }], color: "blue", note: "why?" }),
    anAnnotation(low, id, { places: [{ page: 1, rects: [[72, 400, 60, 12]] }] }),
    anAnnotation(high, id, { places: [{ page: 1, rects: [[72, 90, 60, 12]] }], color: "red" }),
  ];
  await send(ada, ...marks.map((annotation) => aChange("annotation_put", annotation._id, { annotation })));
  const { annotations } = await ada.client.pdf.listAnnotations({ id });
  expect(annotations.map(({ _id }) => _id)).toEqual([high, low, later]);
  expect(annotations.at(-1)).toEqual(marks[0]);
});

test("an annotation sent twice is stored once; the later of two devices' changes wins, and a deletion can be undone", async () => {
  const { ada, id } = await aStudentWithPdf();
  const mark = anAnnotation(ulid(), id);
  const change = aChange("annotation_put", mark._id, { annotation: mark });
  await send(ada, change, change);
  const phone = { ...mark, note: "from the phone" };
  await send(ada, aChange("annotation_put", mark._id, { annotation: phone }, { clientId: "phone" }));
  expect((await ada.client.pdf.listAnnotations({ id })).annotations).toEqual([phone]);
  await send(ada, aChange("annotation_delete", mark._id, {}), aChange("annotation_delete", mark._id, {}));
  expect((await ada.client.pdf.listAnnotations({ id })).annotations).toEqual([]);
  await send(ada, aChange("annotation_put", mark._id, { annotation: mark }));
  expect((await ada.client.pdf.listAnnotations({ id })).annotations).toEqual([mark]);
});

test("an invalid annotation is refused without delaying anything else", async () => {
  const { ada, id } = await aStudentWithPdf();
  const mark = anAnnotation(ulid(), id);
  const answer = await ada.client.sync.sendChanges({
    payload: [
      aChange("annotation_put", ulid(), { annotation: { quote: "a gene" } }),
      aChange("annotation_put", ulid(), { annotation: mark }),
      aChange("annotation_put", mark._id, { annotation: { ...mark, note: "x".repeat(30_000) } }),
      aChange("annotation_delete", ulid(), {}),
      aChange("annotation_put", mark._id, { annotation: mark }),
    ],
  });
  expect(answer.failed.map(({ code, retriable }) => [code, retriable])).toEqual([
    ["bad_input", false],
    ["bad_input", false],
    ["bad_input", false],
    ["not_found", false],
  ]);
  expect((await ada.client.pdf.listAnnotations({ id })).annotations).toEqual([mark]);
});

test("another student's annotations can't be listed or changed", async () => {
  const { api, ada, id } = await aStudentWithPdf();
  const bob = await api.newUser();
  const mark = anAnnotation(ulid(), id);
  await send(ada, aChange("annotation_put", mark._id, { annotation: mark }));
  await expect(bob.client.pdf.listAnnotations({ id })).rejects.toMatchObject({ code: "not_found" });
  await expect(ada.client.pdf.listAnnotations({ id: ulid() })).rejects.toMatchObject({ code: "not_found" });
  const answer = await bob.client.sync.sendChanges({ payload: [aChange("annotation_delete", mark._id, {})] });
  expect(answer.failed).toMatchObject([{ code: "not_found" }]);
  expect((await ada.client.pdf.listAnnotations({ id })).annotations).toEqual([mark]);
});
