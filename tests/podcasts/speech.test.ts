import { expect, test } from "vitest";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import { spokenCases, unspokenCases } from "./speech-cases.ts";

test("there are at least 200 cases", () => {
  expect(spokenCases.length + unspokenCases.length).toBeGreaterThanOrEqual(200);
});

test.each(spokenCases)("%s is said in words", (written, said) => {
  expect(toSpeech(written)).toBe(said);
});

test.each(unspokenCases)("%s is left out", (written) => {
  expect(toSpeech(written)).toBeUndefined();
});

test("what is said of what was said already is the same", () => {
  for (const [, said] of spokenCases) expect(toSpeech(said)?.replaceAll(/\W/gu, "")).toBe(said.replaceAll(/\W/gu, ""));
});
