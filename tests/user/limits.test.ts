import * as fc from "fast-check";
import { englishOf } from "#shared/messages/translate.ts";
import { expect, test } from "vitest";
import {
  decideUpload,
  shouldOfferUpgrade,
  imageTooLarge,
  isUnlimited,
  limitsOf,
  planLimits,
  remainingToday,
  formatTimeToReset,
  uploadStatus,
  uploadsUsed,
} from "#shared/billing/rules.ts";
import type { Plan, PlanType } from "#shared/user/schema.ts";

const NOW = Date.UTC(2026, 4, 10, 12);
const MB = 1024 * 1024;
const planOf = (type: PlanType): Plan => ({ type, endAt: null, paused: false, pausedUntil: null });
const upload = { usage: {}, now: NOW, sizeBytes: MB, countsAgainstDay: true };
const no = Number.POSITIVE_INFINITY;

test.each([
  ["autocompleteWords", 500, no, no],
  ["assistantMessages", 5, 100, no],
  ["researchMessages", 1, 10, 50],
  ["fileUploads", 1, no, no],
  ["pdfToFlashcardsPages", 10, 300, 300],
  ["studyCards", 3, no, no],
  ["fileSizeMb", 10, 300, 300],
  ["podcastCreations", 1, 30, 30],
] as const)("%s: free %d, plus %d, ultimate %d; enterprise as free", (name, free, plus, ultimate) => {
  const types = ["FREE", "PLUS", "ULTIMATE", "ENTERPRISE"] as const;
  expect(types.map((type) => planLimits[type][name])).toEqual([free, plus, ultimate, free]);
});

test("an inactive plan has the limits of FREE", () => {
  expect(limitsOf({ ...planOf("ULTIMATE"), endAt: NOW - 1 }, NOW)).toEqual(planLimits.FREE);
});

test("unlimited is infinity, and -1 for study cards and autocomplete", () => {
  expect(isUnlimited("studyCards", -1)).toBe(true);
  expect(isUnlimited("autocompleteWords", -1)).toBe(true);
  expect(isUnlimited("fileUploads", -1)).toBe(false);
  expect(isUnlimited("assistantMessages", no)).toBe(true);
  expect(remainingToday("studyCards", { ...planLimits.FREE, studyCards: -1 }, { totalCardsStudied: 99 })).toBe(no);
});

test("the remaining amount never goes below zero, and a missing counter is 0", () => {
  fc.assert(
    fc.property(fc.nat(), (used) => {
      expect(remainingToday("assistantMessages", planLimits.FREE, { assistantMessages: used })).toBe(
        Math.max(0, 5 - used),
      );
    }),
  );
  expect(remainingToday("assistantMessages", planLimits.FREE, {})).toBe(5);
});

test("an upload's size is checked before the daily limit", () => {
  const spent = { plan: planOf("FREE"), usage: { fileUploads: 1 }, now: NOW, countsAgainstDay: true };
  expect(decideUpload({ ...spent, sizeBytes: 11 * MB })).toEqual({
    outcome: "refused",
    reason: "file_size",
    why: { reason: "file_over_plan_upgrade", params: { size: "11.0", most: 10, more: 300 } },
  });
  expect(decideUpload({ ...spent, sizeBytes: 10 * MB })).toEqual({
    outcome: "refused",
    reason: "daily_limit",
    why: { reason: "daily_uploads_reached" },
  });
});

test("only PDF, Word, PowerPoint and video count towards the daily limit", () => {
  const spent = { ...upload, plan: planOf("FREE"), usage: { fileUploads: 1 } };
  expect(decideUpload({ ...spent, countsAgainstDay: false })).toEqual({ outcome: "allowed" });
});

test("the last upload of the day shows a warning, unless uploads are unlimited", () => {
  expect(decideUpload({ ...upload, plan: planOf("FREE") })).toEqual({
    outcome: "approaching_limit",
    why: { reason: "last_upload" },
  });
  expect(decideUpload({ ...upload, plan: planOf("ULTIMATE"), usage: { fileUploads: 500 } })).toEqual({
    outcome: "allowed",
  });
});

test("a file too large for a paid plan is refused without an upgrade offer", () => {
  expect(decideUpload({ ...upload, plan: planOf("PLUS"), sizeBytes: 300.25 * MB })).toMatchObject({
    why: { reason: "file_over_plan", params: { size: "300.3", most: 300 } },
  });
});

test("image and PDF uploads have their own message", () => {
  expect(englishOf(imageTooLarge(12 * MB, "FREE"))).toBe(
    "Your 12MB file exceeds the 10MB limit for free users. Please upgrade to upload larger files.",
  );
  expect(englishOf(imageTooLarge(301 * MB, "ULTIMATE"))).toBe("File size (301MB) exceeds the maximum 300MB limit.");
});

test("the upload button, the upgrade prompt and the status show when the daily uploads are used up", () => {
  const spent = { fileUploads: 1 };
  expect(shouldOfferUpgrade(planOf("FREE"), spent, NOW)).toBe(true);
  expect(shouldOfferUpgrade(planOf("ENTERPRISE"), spent, NOW)).toBe(false);
  expect(englishOf(uploadStatus(planOf("FREE"), spent, NOW))).toBe("Daily limit reached (1/1)");
  expect(englishOf(uploadStatus(planOf("ULTIMATE"), spent, NOW))).toBe("Unlimited uploads");
  expect(englishOf(uploadStatus(planOf("FREE"), {}, NOW))).toBe("Uploads left today: 1 of 1");
  expect(englishOf(uploadsUsed(1))).toBe("You've used all 1 uploads today. Upgrade to Ultimate for unlimited uploads!");
});

test.each([
  ["2026-05-10T12:00:00Z", "12h 0m"],
  ["2026-05-10T18:47:30Z", "5h 13m"],
  ["2026-05-10T23:01:00Z", "59m"],
  ["2026-05-10T23:59:59Z", "1m"],
])("at %s the counters reset in %s", (now, words) => {
  expect(formatTimeToReset(Date.parse(now))).toBe(words);
});
