// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AdminRating } from "#shared/admin/figures-contract.ts";
import type { Instance } from "#shared/admin/instance-contract.ts";
import type { ShareReport } from "#shared/sharing/schema.ts";
import { type Answers, asAdmin, openApp } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const openAsAdmin = (path: string, answers: Pick<Answers, "admin" | "sharing">) =>
  openApp(path, { signedIn: true, answers: { auth: asAdmin, ...answers } });

const aRating = (value: "up" | "down", id: string): AdminRating => ({
  _id: id,
  kind: "answer",
  value,
  reason: id,
  text: "",
  model: "m",
  version: "1",
  createdAt: 0,
});

type RatingPage = { ratings: AdminRating[]; next: string | null };
const pageOf = (value: "up" | "down", ids: readonly string[], next: string | null = null): RatingPage => ({
  ratings: ids.map((id) => aRating(value, id)),
  next,
});

/** Opens the list of thumbs. Its pages wait until the test answers them, by filter and position. */
async function openThumbs() {
  const waiting = new Map<string, (page: RatingPage) => void>();
  await openAsAdmin("/admin/completion_feedback", {
    admin: {
      getFigures: () => ({ weeks: [], days: [] }),
      listRatings({ value = "all", after = "" }) {
        const { promise, resolve } = createDeferred<RatingPage>();
        waiting.set(`${String(value)} ${String(after)}`.trim(), resolve);
        return promise;
      },
    },
  });
  const answer = async (asked: string, page: RatingPage) => {
    await expect.poll(() => waiting.has(asked)).toBe(true);
    waiting.get(asked)?.(page);
    waiting.delete(asked);
    // The answer has been parsed and shown once a later task runs.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  };
  const user = userEvent.setup();
  return {
    answer,
    choose: async (thumb: "Up" | "Down") => user.click(await screen.findByRole("radio", { name: thumb })),
    showMore: () => user.click(screen.getByRole("button", { name: /^Show more/u })),
  };
}

test("while rows of the chosen filter load, rows of another filter are not shown", async () => {
  const { answer, choose } = await openThumbs();
  await answer("all", pageOf("down", ["from all"], "more"));
  await screen.findByText("from all");
  await choose("Up");
  expect(screen.queryByText("from all")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Show more/u })).toBeNull();
  expect(screen.getByRole("status", { name: "Loading" })).toBeTruthy();
  await answer("up", pageOf("up", ["from up"]));
  await screen.findByText("from up");
});

test("a late answer for a filter that is no longer chosen changes nothing", async () => {
  const { answer, choose } = await openThumbs();
  await choose("Down");
  await choose("Up");
  await answer("up", pageOf("up", ["from up"]));
  await screen.findByText("from up");
  await answer("down", pageOf("down", ["from down"]));
  await answer("all", pageOf("down", ["from all"]));
  expect(screen.getByText("from up")).toBeTruthy();
  expect(screen.queryByText(/from (?:down|all)/u)).toBeNull();
});

test("a late next page is not appended to the rows of another filter", async () => {
  const { answer, choose, showMore } = await openThumbs();
  await answer("all", pageOf("down", ["first of all"], "more"));
  await screen.findByText("first of all");
  await showMore();
  await choose("Up");
  await answer("up", pageOf("up", ["first of up"], "more of up"));
  await screen.findByText("first of up");
  await answer("all more", pageOf("down", ["second of all"]));
  expect(screen.queryByText(/of all/u)).toBeNull();
  await showMore();
  await answer("up more of up", pageOf("up", ["second of up"]));
  await screen.findByText("second of up");
  expect(screen.getByText("first of up")).toBeTruthy();
});

const instance: Instance = {
  version: "1.0.0",
  startedAt: 0,
  store: { kind: "sqlite", status: "ok" },
  blobs: "ok",
  freeBytes: -1,
  services: [],
  models: { names: [], server: "none", tokensToday: 0, dailyBudget: null },
  backup: null,
  accounts: 1,
  newFeedback: 0,
  failedPaymentEvents: 0,
};

const aReport = (reason: ShareReport["reason"], at: number): ShareReport => ({
  _id: `${reason}-${at}`,
  shareId: "share",
  title: `${reason} ${at}`,
  reason,
  text: "",
  createdAt: 0,
});
const reportsOf = (reason: ShareReport["reason"]) => Array.from({ length: 8 }, (_, at) => aReport(reason, at));

test("after a change of reason, the list starts again with its first reports, and never mixes both reasons", async () => {
  const spam = createDeferred<{ reports: ShareReport[]; next: null }>();
  await openAsAdmin("/admin", {
    admin: {
      getInstance: () => instance,
      countJobs: () => ({ kinds: [] }),
      listAudit: () => ({ entries: [], next: null }),
    },
    sharing: {
      listReports: ({ reason }) => (reason === "spam" ? spam.promise : { reports: reportsOf("personal"), next: null }),
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Show more: Reported shared content" }));
  await screen.findByText("personal 7");
  await user.selectOptions(screen.getByRole("combobox", { name: "Reason" }), "spam");
  expect(screen.queryByText(/^personal/u)).toBeNull();
  spam.resolve({ reports: reportsOf("spam"), next: null });
  await screen.findByText("spam 4");
  expect(screen.queryByText("spam 5")).toBeNull();
  expect(screen.queryByText(/^personal/u)).toBeNull();
});
