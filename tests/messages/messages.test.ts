import { expect, test } from "vitest";
import { t } from "#shared/messages/translate.ts";

test("the words of the interface are found by key", () => {
  expect(t("common.cancel")).toBe("Cancel");
});
