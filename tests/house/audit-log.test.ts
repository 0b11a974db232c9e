import { expect, test } from "vitest";
import { grantAdmin } from "#api/auth/service.ts";
import { startApi } from "#tests/kit/api.ts";
import { plainInput } from "#tests/kit/plain-input.ts";
import { callRow, contractRows } from "./call-row.ts";

test("no call changes or removes an entry of the log, not even one with its id by another administrator", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const newAdmin = async () => {
    const admin = await api.newUser();
    await grantAdmin(api.deps, admin.email, true);
    return admin;
  };
  const root = await newAdmin();
  const ada = await api.newUser();
  await root.client.admin.signOutAccount({ id: ada.userId });
  const { entries } = await root.client.admin.listAudit({});
  const [{ _id: id } = { _id: "" }] = entries;
  let other = await newAdmin();
  let refused = 0;
  const changes = contractRows.filter(({ row }) => row.method !== "GET");
  for (const { row } of changes) {
    const input = plainInput(row.input, id);
    const { status } = await callRow(api.origin, { row, input, missing: id, token: other.token });
    if (status >= 400) refused += 1;
    // Some calls end the session or the rights of the one who makes them.
    if (!(await other.client.admin.listJobs({}).catch(() => undefined))) other = await newAdmin();
  }
  expect(refused).toBeLessThan(changes.length);
  const after = await root.client.admin.listAudit({ action: "sign_out_account" });
  expect(after.entries.filter(({ _id }) => _id <= id)).toEqual(entries);
});
