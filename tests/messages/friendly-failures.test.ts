import { describe, expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { describeFailure } from "#shared/client/describe-failure.ts";
import { toFailureMessage, type Activity } from "#shared/client/failure-messages.ts";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";

const servers = "Our servers are having trouble right now. Please try again in a moment.";

describe("messages by status", () => {
  test.each<[FailureCode, string, Activity, string]>([
    ["limit_reached", "", "other", "You've reached your usage limit. Upgrade to continue!"],
    ["limit_reached", "You've used all 3 cards today.", "other", "You've used all 3 cards today."],
    ["too_large", "Any", "upload", "The file is too large to upload. Please try a smaller file."],
    [
      "invalid_pdf",
      "The file is empty. Please select a valid file.",
      "upload",
      "The file is empty. Please select a valid file.",
    ],
    ["invalid_file", "", "upload", "The file couldn't be processed. Please ensure it's a valid file and try again."],
    ["bad_input", "", "other", "Something went wrong. Please check your input and try again."],
    ["bad_input", "TypeError: x is undefined", "other", "Something went wrong. Please check your input and try again."],
    ["bad_input", "<html>Bad</html>", "other", "Something went wrong. Please check your input and try again."],
    ["bad_input", '{"a":1}', "other", "Something went wrong. Please check your input and try again."],
    [
      "too_many_requests",
      "5 decks are already being made. Wait until one of them is done.",
      "flashcards",
      "5 decks are already being made. Wait until one of them is done.",
    ],
    [
      "too_many_requests",
      "",
      "flashcards",
      "Failed to create flashcards. Please try again or contact support if the issue continues.",
    ],
    ["broken", "Any", "other", servers],
    ["model_unavailable", "Any", "flashcards", servers],
    [
      "timed_out",
      "",
      "flashcards",
      "Creating flashcards is taking longer than expected. Please try with fewer or smaller files.",
    ],
    ["timed_out", "", "upload", "The request took too long. Please try again with a smaller file."],
    ["not_found", "Any", "upload", "Failed to upload. Please try again or contact support if the issue continues."],
    [
      "not_found",
      "Any",
      "flashcards",
      "Failed to create flashcards. Please try again or contact support if the issue continues.",
    ],
    ["not_found", "Any", "other", "Something went wrong. Please try again or contact support if the issue continues."],
  ])("%s with “%s” while doing %s shows: %s", (code, message, doing, shown) => {
    expect(toFailureMessage(new Failure(code, { message }), doing)?.message).toBe(shown);
  });

  test("only 402 opens the plan modal", () => {
    expect(toFailureMessage(new Failure("limit_reached", { message: "" }))?.opensPlanModal).toBe(true);
    expect(toFailureMessage(new Failure("too_large", { message: "" }))?.opensPlanModal).toBe(false);
  });

  test("network failures and timeouts have their own messages; the caller's own abort has none", () => {
    expect(toFailureMessage(new NoResponseError("network"))?.message).toBe(
      "Couldn't connect to the server. Please check your internet connection and try again.",
    );
    expect(toFailureMessage(new NoResponseError("timeout"), "flashcards")?.message).toMatch(
      /^Creating flashcards is taking/,
    );
    expect(toFailureMessage(new NoResponseError("aborted"))).toBeUndefined();
  });
});

test("no status defaults to 520 and 'Unknown Error'; without a message 'Unknown error occurred'", () => {
  expect(describeFailure(undefined)).toMatchObject({
    status: 520,
    statusMessage: "Unknown Error",
    message: "Unknown error occurred",
  });
  expect(describeFailure(new Failure("forbidden", { message: "Not yours" }))).toMatchObject({
    status: 403,
    message: "Not yours",
    code: "forbidden",
  });
});

test("the error text is the message, else the short name, else the status message", () => {
  const all = { status: 400, message: "Too many pages", error: "Invalid PDF file", statusMessage: "Bad Request" };
  expect(describeFailure(all).message).toBe("Too many pages");
  expect(describeFailure({ ...all, message: "" }).message).toBe("Invalid PDF file");
  expect(describeFailure({ status: 400, statusMessage: "Bad Request" }).message).toBe("Bad Request");
});

test.each([
  ["invalid_pdf", "Invalid PDF file"],
  ["invalid_file", "Invalid file"],
  ["unsupported_file_type", "Unsupported file type"],
] as const)("the machine-readable name of a refused upload with %s is '%s'", (code, name) => {
  expect(new Failure(code, { message: "Words for people." }).body()).toMatchObject({
    error: name,
    message: "Words for people.",
  });
});
