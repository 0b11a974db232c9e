// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { setTransport } from "#webapp/app/client.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { ada, noNetwork, openApp } from "#tests/kit/browser/web.tsx";
import { v1 } from "#shared/contract/v1.ts";
import { t } from "#shared/messages/translate.ts";
import { queue } from "#webapp/offline/sync.ts";
import { LinkDialog } from "#webapp/uploads/parts/link-dialog.tsx";

afterEach(() => cleanup());

test("a video whose dialog was cancelled while it was added does not open", async () => {
  const [isAdding, arrival] = [createDeferred<undefined>(), createDeferred<undefined>()];
  const opened: string[] = [];
  let left: unknown;
  setTransport(async ({ signal }) => {
    isAdding.resolve(undefined);
    await arrival.promise;
    if (signal?.aborted === true) {
      left = new NoResponseError("aborted");
      throw new NoResponseError("aborted");
    }
    return replyWith(JSON.stringify({ component: { _id: "video" } }));
  });
  const done = createDeferred<undefined>();
  const user = userEvent.setup();
  render(
    <LinkDialog
      pageId={null}
      onClose={() => done.resolve(undefined)}
      onFiles={() => undefined}
      onVideo={({ _id }) => opened.push(_id)}
    />,
  );
  await user.type(screen.getByRole("textbox"), "https://www.youtube.com/watch?v=dQw4w9WgXcQ{Enter}");
  await isAdding.promise;
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await done.promise;
  arrival.resolve(undefined);
  await expect.poll(() => left).toBeInstanceOf(NoResponseError);
  expect(opened).toEqual([]);
});

const none = () => undefined;

test.each([
  ["of an open page", "page-1", (id: string) => ({ type: "component_delete", resourceId: id })],
  ["with a page of its own", null, () => ({ type: "page_delete", resourceId: "page-1" })],
])("a video %s that was stored before its dialog was cancelled is deleted", async (_, pageId, expected) => {
  await openApp("/home", { signedIn: true });
  await expect.poll(() => store.get(accountIdAtom)).toBe(ada._id);
  const added = createDeferred<string>();
  setTransport(async ({ endpoint, body, signal }) => {
    if (endpoint === v1.pages.getComponent)
      return replyWith(JSON.stringify({ component: { _id: await added.promise, pageId: "page-1" } }));
    if (endpoint !== v1.video.createVideoComponent) return noNetwork();
    const { componentId } = JSON.parse(body.kind === "json" ? body.text : "{}") as { componentId: string };
    added.resolve(componentId);
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new NoResponseError("aborted")));
    });
  });
  const dialog = render(<LinkDialog pageId={pageId} onClose={none} onFiles={none} onVideo={none} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(t("uploads.link_label")), "https://youtu.be/dQw4w9WgXcQ{Enter}");
  const id = await added.promise;
  dialog.unmount();
  await expect.poll(() => queue().unsaved().at(-1)).toMatchObject(expected(id));
});

test.each([
  ["cancelled", async () => userEvent.setup().click(screen.getByRole("button", { name: "Cancel" }))],
  ["left with its screen", async () => cleanup()],
])("a link whose dialog was %s is not applied, even if its answer has already arrived", async (_, leave) => {
  const [isAdding, arrival] = [createDeferred<undefined>(), createDeferred<undefined>()];
  const applied: unknown[] = [];
  let signalSent: AbortSignal | undefined;
  setTransport(async ({ signal }) => {
    signalSent = signal;
    isAdding.resolve(undefined);
    await arrival.promise;
    return replyWith(JSON.stringify({ component: { _id: "video" } }));
  });
  const add = (result: unknown) => void applied.push(result);
  const close = () => add("closed again");
  let isLeft = false;
  render(<LinkDialog pageId={null} onClose={() => isLeft && close()} onFiles={add} onVideo={add} />);
  await userEvent.setup().type(screen.getByRole("textbox"), "https://youtu.be/dQw4w9WgXcQ{Enter}");
  await isAdding.promise;
  await leave();
  isLeft = true;
  expect(signalSent?.aborted).toBe(true);
  arrival.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(applied).toEqual([]);
});

test("a retry of a link adds the same video, and another link adds another one", async () => {
  const sent: { url: string; componentId: string }[] = [];
  setTransport(async ({ body }) => {
    sent.push(JSON.parse(body.kind === "json" ? body.text : "{}") as (typeof sent)[number]);
    throw new NoResponseError("network");
  });
  const user = userEvent.setup();
  render(<LinkDialog pageId={null} onClose={none} onFiles={none} onVideo={none} />);
  const field = screen.getByRole("textbox");
  await user.type(field, "https://youtu.be/dQw4w9WgXcQ{Enter}");
  await expect.poll(() => sent).toHaveLength(1);
  await user.type(field, "{Enter}");
  await expect.poll(() => sent).toHaveLength(2);
  await user.clear(field);
  await user.type(field, "https://youtu.be/aircAruvnKk{Enter}");
  await expect.poll(() => sent).toHaveLength(3);
  await user.clear(field);
  await user.type(field, "https://youtu.be/dQw4w9WgXcQ{Enter}");
  await expect.poll(() => sent).toHaveLength(4);
  const [first, again, other, later] = sent.map(({ componentId }) => componentId);
  expect([again === first, other === first, later === first]).toEqual([true, false, true]);
});
