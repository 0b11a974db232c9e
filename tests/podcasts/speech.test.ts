import { expect, test } from "vitest";
import { toSpeech } from "#shared/podcasts/speech/to-speech.ts";
import { fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";
import { spokenCases, unspokenCases } from "./speech-cases.ts";

test("there are at least 200 cases", () => {
  expect(spokenCases.length + unspokenCases.length).toBeGreaterThanOrEqual(200);
});

test.each(spokenCases)("%s is spoken in words", (written, spoken) => {
  expect(toSpeech(written)).toBe(spoken);
});

test.each(unspokenCases)("%s is left out", (written) => {
  expect(toSpeech(written)).toBeUndefined();
});

test("normalising spoken text again does not change it", () => {
  for (const [, spoken] of spokenCases)
    expect(toSpeech(spoken)?.replaceAll(/\W/gu, "")).toBe(spoken.replaceAll(/\W/gu, ""));
});

test("the work for a run of superscripts grows with its length", () => {
  expect(measureGrowth(toSpeech, (chars) => `A${fill("⁰", chars)} is read.`)).toBeLessThan(MAX_GROWTH);
});
