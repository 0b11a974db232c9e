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

test.each<[string, (chars: number) => string]>([
  ["superscripts", (chars) => `A${fill("⁰", chars)} is read.`],
  ["words after a slash", (chars) => `It has five ${fill("a/", chars)} is read.`],
  ["note numbers", (chars) => `The ${fill("war,5 ", chars)} is read.`],
  ["compared figures without a closing bracket", (chars) => `A (1${fill(" vs 1", chars)} is read.`],
])("the work for a run of %s grows with its length", (_what, write) => {
  expect(measureGrowth(toSpeech, write)).toBeLessThan(MAX_GROWTH);
});
