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

const aLine = (_id: string) => ({ _id, type: "text", content: textContent("A line."), createdAt: 5 });

test("requests for which the specification lists no data need none, and a moved component leaves its former page", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [from, to] = [await aPage(ada, "Cells"), await aPage(ada, "Genes")];
  const [made, folder, line, deletedLine] = [ulid(), ulid(), ulid(), ulid()];
  const sendOne = async (type: string, resourceId: string, data?: object) => {
    const request = { id: ulid(), clientId: "a-client", seq: 1, resourceId, type, createdAt: 5 };
    const answer = await ada.client.sync.sendChanges({ payload: [{ ...request, ...(data ? { data } : {}) }] });
    expect([type, answer.failed, answer.success]).toEqual([type, [], [request.id]]);
  };
  await sendOne("page_create", made);
  await sendOne("folder_create", folder, { title: "Biology", color: "GREEN" });
  await sendOne("component_create", line, { component: aLine(line), parentId: from });
  await sendOne("component_create", deletedLine, { component: aLine(deletedLine), parentId: from });
  await sendOne("component_move", line, { toPageId: to });
  await sendOne("component_delete", deletedLine);
  const { page, components } = await ada.client.pages.getPage({ id: to });
  expect([page.components, components.map(({ _id }) => _id)]).toEqual([[line], [line]]);
  expect((await ada.client.pages.getPage({ id: from })).page.components).not.toContain(line);
  expect((await ada.client.pages.getPage({ id: made })).page).toMatchObject({ title: "", createdAt: 5 });
  const { folders } = await ada.client.library.listFolders({});
  expect(folders).toMatchObject([{ _id: folder, title: "Biology", color: "GREEN", created_at: 5 }]);
  await sendOne("folder_delete", folder);
  await sendOne("page_delete", made);
});
