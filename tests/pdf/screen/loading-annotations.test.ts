// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import type { Annotation } from "#shared/pdf/annotations.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import { addAnnotation, annotationsAtom, openAnnotations } from "#webapp/pdf/annotations/annotations.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";

test("a highlight that is acknowledged while an older list is still loading stays on the screen", async () => {
  const lists: ((list: { annotations: Annotation[] }) => void)[] = [];
  await openApp("/home", {
    signedIn: true,
    answers: {
      pdf: { listAnnotations: () => new Promise((resolve) => lists.push(resolve)) },
      sync: {
        sendBatches: (sent) => {
          const { batches } = sent as { batches: { requests: { id: string }[] }[] };
          const success = batches.flatMap(({ requests }) => requests.map(({ id }) => id));
          return { success, num_failed: 0, failed: [], parcels: [], versions: [] };
        },
      },
    },
  });
  await waitFor(() => expect(store.get(accountIdAtom)).toBe(ada._id));
  onTestFinished(openAnnotations("file-of-this-test"));
  const id = await addAnnotation({
    componentId: "file-of-this-test",
    page: 1,
    quote: "The cell",
    color: "green",
    prefix: "",
    suffix: "",
    note: "",
    places: [{ page: 1, rects: [[1, 1, 10, 10]] }],
  });
  await queue().flush();
  await waitFor(() => expect(queue().unsaved()).toEqual([]));
  expect(lists).toHaveLength(1);
  lists[0]?.({ annotations: [] });
  await waitFor(() => expect(store.get(annotationsAtom).state).toBe("ready"));
  expect(store.get(annotationsAtom).annotations.map(({ _id }) => _id)).toEqual([id]);
});
