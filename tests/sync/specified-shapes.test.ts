import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aPage, textContent } from "#tests/store/changes.ts";

test("component_create takes a component as specified, without the fields that the server can derive", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const _id = ulid();
  const component = { _id, type: "text", content: textContent("The ribosome reads codons."), createdAt: 5 };
  const request = { id: ulid(), clientId: "a-client", seq: 1, resourceId: _id, type: "component_create", createdAt: 5 };
  const answer = await ada.client.sync.sendChanges({
    payload: [{ ...request, data: { component, parentId: pageId, parentType: "page" } }],
  });
  expect(answer).toMatchObject({ success: [request.id], num_failed: 0 });
  const { components } = await ada.client.pages.getPage({ id: pageId });
  expect(components).toMatchObject([{ _id, pageId, createdBy: ada.userId, version: 1 }]);
});

test.each([[{}], [{ component: null, parentId: "a" }], [{ component: "text" }], [null], [7]])(
  "a component_create of %j fails alone",
  async (data) => {
    const api = await startApi();
    const ada = await api.newUser();
    const request = { id: ulid(), clientId: "a", seq: 1, resourceId: "a", type: "component_create", createdAt: 5 };
    const good = { ...request, id: ulid(), type: "page_create", resourceId: ulid(), data: { createdAt: 1 } };
    const answer = await ada.client.sync.sendChanges({ payload: [{ ...request, data }, good] });
    expect(answer).toMatchObject({ success: [good.id], num_failed: 1 });
  },
);
