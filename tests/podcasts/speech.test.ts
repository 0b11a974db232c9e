import { expect, test } from "vitest";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import { spokenCases, unspokenCases } from "./speech-cases.ts";

test("there are at least 200 cases", () => {
  expect(spokenCases.length + unspokenCases.length).toBeGreaterThanOrEqual(200);
});

test.each(spokenCases)("%s is spoken in words", (written, expected) => {
  expect(toSpeech(written)).toBe(expected);
});

test.each(unspokenCases)("%s is left out", (written) => {
  expect(toSpeech(written)).toBeUndefined();
});

test("normalising spoken text again changes nothing", () => {
  for (const [, expected] of spokenCases)
    expect(toSpeech(expected)?.replaceAll(/\W/gu, "")).toBe(expected.replaceAll(/\W/gu, ""));
});
