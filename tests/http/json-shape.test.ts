import { expect, test } from "vitest";
import { SYNC_BODY_BYTES } from "#shared/contract/endpoint.ts";
import { FailureBody } from "#shared/contract/failure.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";

async function answerOf(body: string, path = "/v1/sync") {
  const api = await startApi();
  const ada = await api.newUser();
  const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
  const method = path === "/v1/sync" ? "POST" : "PATCH";
  const response = await fetch(api.origin + path, { method, headers, body });
  const { status, code, reason } = FailureBody.parse(await response.json());
  return { status, code, reason };
}

// None of these bodies is valid JSON, so a parser that got them would answer body_not_json.
test("a body of nested lists is refused before parsing", async () => {
  const refused = { status: 400, code: "bad_input", reason: "body_too_deep" };
  expect(await answerOf("[".repeat(SYNC_BODY_BYTES - 1))).toEqual(refused);
  expect(await answerOf('{"a":'.repeat(10_000), "/v1/user/preferences")).toEqual(refused);
  expect(await answerOf(`{"payload":["${"\\\\".repeat(100)}",${"[".repeat(2_100)}`)).toEqual(refused);
});

test("a body with too many values is refused before parsing", async () => {
  const refused = { status: 413, code: "too_large", reason: "body_too_many_values" };
  expect(await answerOf(`{"payload":[${"[],".repeat(1_000_000)}`)).toEqual(refused);
  expect(await answerOf(`{"payload":[${"0,".repeat(1_000_000)}`)).toEqual(refused);
});

test("brackets, commas and quotes inside strings don't count", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const text = `${String.raw`\"[`.repeat(200)}${"[".repeat(5_000)}${",".repeat(600_000)}${'"'.repeat(99)}`;
  const id = await aText(ada, pageId, text);
  const { component } = await ada.client.pages.getComponent({ id });
  expect(component).toMatchObject({ content: { text: [{ content: text }] } });
});

test("a form field of nested lists is refused before parsing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const form = new FormData();
  form.append("options", "[".repeat(100_000));
  const headers = { authorization: `Bearer ${ada.token}` };
  const response = await fetch(`${api.origin}/v1/flashcards/content/ai_generation`, {
    method: "POST",
    headers,
    body: form,
  });
  expect(FailureBody.parse(await response.json()).reason).toBe("body_too_deep");
});
