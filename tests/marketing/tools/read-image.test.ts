// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import { prepareRecognition, readImage } from "#webapp/marketing/tools/readers/read-image.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

/** The recogniser, which never finishes. */
const recogniser = { recognize: vi.fn(() => new Promise(() => undefined)), terminate: vi.fn(async () => undefined) };
const { createWorker } = vi.hoisted(() => ({ createWorker: vi.fn<() => Promise<unknown>>() }));
vi.mock("tesseract.js", () => ({ createWorker, OEM: { LSTM_ONLY: 1 } }));
vi.mock("tesseract.js-core/tesseract-core-simd-lstm.wasm.js?url", () => ({ default: "core.js" }));
vi.mock("tesseract.js/dist/worker.min.js?url", () => ({ default: "worker.js" }));
vi.stubEnv("VITE_RECOGNITION", "/recognition");

const picture = new File(["x"], "page.png");
const ignoreReport = () => undefined;

test("stopping ends the recogniser while it reads a picture", async () => {
  setToolWords(tools, "en");
  createWorker.mockResolvedValueOnce(recogniser);
  const controller = new AbortController();
  const reading = readImage(picture, ignoreReport, controller.signal);
  await vi.waitFor(() => expect(recogniser.recognize).toHaveBeenCalled());
  controller.abort();
  await expect(reading).rejects.toThrow();
  expect(recogniser.terminate).toHaveBeenCalledTimes(1);
});

test("a picture in which only a few letters are recognised is refused with what to do", async () => {
  createWorker.mockResolvedValueOnce({ ...recogniser, recognize: async () => ({ data: { text: "g RSE\n\n4" } }) });
  const reading = readImage(picture, ignoreReport, new AbortController().signal);
  await expect(reading).rejects.toThrow("Hardly any text was recognised in this picture. Take it straight from above");
});

test("a recogniser that is loaded after stopping ends without reading", async () => {
  recogniser.recognize.mockClear();
  recogniser.terminate.mockClear();
  const loaded = createDeferred<unknown>();
  createWorker.mockReturnValueOnce(loaded.promise);
  const controller = new AbortController();
  const reading = readImage(picture, ignoreReport, controller.signal);
  controller.abort();
  loaded.resolve(recogniser);
  await expect(reading).rejects.toThrow();
  expect(recogniser.recognize).not.toHaveBeenCalled();
  expect(recogniser.terminate).toHaveBeenCalledTimes(1);
});

test("the recogniser and the language data are fetched once before there is a picture, and again after a failure", async () => {
  let status = 502;
  const fetched: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    fetched.push(new Request(address).url);
    return new Response("x", { status });
  });
  await expect(prepareRecognition()).rejects.toThrow("could not be loaded: 502");
  status = 200;
  fetched.length = 0;
  await prepareRecognition();
  await prepareRecognition();
  expect(fetched.map((address) => new URL(address).pathname)).toEqual([
    "/worker.js",
    "/core.js",
    "/recognition/eng.traineddata.gz",
  ]);
});
