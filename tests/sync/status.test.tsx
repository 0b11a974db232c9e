// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { Provider } from "jotai/react";
import { createStore } from "jotai/vanilla";
import { afterEach, expect, test } from "vitest";
import { SyncRequest } from "#shared/sync/schema.ts";
import type { StoredRequest } from "#shared/sync/store.ts";
import { syncStatusAtom } from "#webapp/offline/sync-status.ts";
import { SyncStatusLine } from "#webapp/ui/sync-status-line.tsx";

afterEach(cleanup);

const request = SyncRequest.parse({
  id: "0123456789",
  clientId: "a",
  seq: 1,
  createdAt: 1,
  type: "page_update",
  resourceId: "page-1",
  data: { title: "Genes" },
});
const parked: StoredRequest[] = [{ request, parked: { kind: "network" } } as unknown as StoredRequest];

test.each(["parked", "offline"] as const)(
  "the sidebar counts every unsaved change, as the page does, while the queue is %s",
  (state) => {
    const store = createStore();
    store.set(syncStatusAtom, { state, unsaved: 2, parked });
    render(
      <Provider store={store}>
        <SyncStatusLine />
      </Provider>,
    );
    expect(screen.getByRole("status").textContent).toBe("2 unsaved changes");
  },
);
