// @vitest-environment happy-dom
import { act, render } from "@testing-library/react";
import { Provider } from "jotai/react";
import { expect, test } from "vitest";
import { startStudy } from "#shared/study/controller.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { aCard } from "#tests/store/changes.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { studyStateAtom } from "#webapp/study/session/study-view.ts";
import { useDailyLimit } from "#webapp/study/session/use-daily-limit.ts";

const NOW = Date.UTC(2026, 4, 10, 12);

/** A deck whose daily limit of three cards was reached when the server answered. */
function aDeckAtItsLimit() {
  const settings = { desiredRetention: null, examAt: null, minutesPerDay: null, examId: null };
  const allowance = { period: "2026-05-10", studiedToday: 3, dailyLimit: 3, timezone: "UTC" };
  const names = { componentId: "deck", pageId: "page", pageTitle: "Biology", title: "Genes" };
  const deck = { ...names, cards: [aCard("codon")], sources: new Map() };
  const preferences = { desired_retention: 0.9, easy_days: [1, 1, 1, 1, 1, 1, 1], new_cards_per_day: 20 };
  const terms = { settings, weights: null, load: [] };
  const loaded = { schedules: [], allowance, terms, favourites: [], isCached: false };
  const study = startStudy({ deck, loaded, preferences, bucket: "due", plan: null }, NOW);
  return { ...study, state: "ready" as const, examPlan: null };
}

function Probe({ isReady }: { isReady: boolean }) {
  useDailyLimit(isReady);
  return null;
}

const Screen = ({ isReady }: { isReady: boolean }) => (
  <Provider store={store}>
    <Probe isReady={isReady} />
  </Provider>
);

test("a plan bought while a deck loads removes the limit, even if the server's answer still has it", () => {
  const free = { ...ada.plan, type: "FREE" as const };
  setUser({ ...ada, plan: free });
  const { rerender } = render(<Screen isReady={false} />);
  act(() => setUser({ ...ada, plan: { ...free, type: "PLUS" } }));
  act(() => store.set(studyStateAtom, aDeckAtItsLimit()));
  rerender(<Screen isReady />);
  const view = store.get(studyStateAtom);
  expect(view).toMatchObject({ state: "ready", allowance: { dailyLimit: null }, session: { state: "asking" } });
});
