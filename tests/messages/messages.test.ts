import { expect, test } from "vitest";
import { t } from "#shared/messages/translate.ts";

test("messages are found by key", () => {
  expect(t("common.cancel")).toBe("Cancel");
});
