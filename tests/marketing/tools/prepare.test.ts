// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { prepareAhead, prepareFile } from "#webapp/marketing/tools/prepare.ts";

const { prepareRecognition, preparePdf, loadOffice } = vi.hoisted(() => ({
  prepareRecognition: vi.fn(async () => undefined),
  preparePdf: vi.fn(),
  loadOffice: vi.fn(() => ({})),
}));
vi.mock("#webapp/marketing/tools/readers/read-pdf.ts", () => ({ preparePdf }));
vi.mock("#webapp/marketing/tools/readers/read-office.ts", loadOffice);
vi.mock("#webapp/marketing/tools/readers/read-image.ts", () => ({ prepareRecognition }));
vi.mock("#webapp/marketing/tools/tool-cards.ts", () => ({ prepareToolCards: () => undefined }));

const setSaveData = (saveData: boolean) =>
  Object.defineProperty(navigator, "connection", { value: { saveData }, configurable: true });

afterEach(() => {
  Reflect.deleteProperty(navigator, "connection");
  vi.clearAllMocks();
});

test("text recognition is fetched with the page and when the pointer reaches the field", async () => {
  prepareAhead("image");
  await vi.waitFor(() => expect(prepareRecognition).toHaveBeenCalledTimes(1));
  prepareFile("image");
  await vi.waitFor(() => expect(prepareRecognition).toHaveBeenCalledTimes(2));
});

test("the readers of PDF, PowerPoint and Word are loaded with the page, unless the visitor saves data", async () => {
  setSaveData(true);
  prepareAhead("pdf");
  prepareAhead("office");
  await vi.dynamicImportSettled();
  expect([preparePdf.mock.calls.length, loadOffice.mock.calls.length]).toEqual([0, 0]);
  setSaveData(false);
  prepareAhead("pdf");
  prepareAhead("office");
  await vi.waitFor(() => expect([preparePdf.mock.calls.length, loadOffice.mock.calls.length]).toEqual([1, 1]));
});

test("where the visitor saves data, text recognition is fetched neither with the page nor by pointing at the field", async () => {
  setSaveData(true);
  prepareAhead("image");
  prepareFile("image");
  await vi.dynamicImportSettled();
  expect(prepareRecognition).not.toHaveBeenCalled();
});
