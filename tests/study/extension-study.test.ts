import { expect, test } from "vitest";
import { countDeckDue, type StudyState } from "#shared/study/controller.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aPage, deckComponent } from "#tests/store/changes.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";

let made = 0;

/** A student with a deck of three cards, who studies it beside a page. */
async function aStudent() {
  const world = anExtensionWorld();
  const api = await startApi({ realClock: true });
  const ada = await api.newUser();
  const [study, { openQueue }] = await Promise.all([
    import("#extension/study/study-session.ts"),
    import("#extension/app/queue.ts"),
  ]);
  const pageId = await aPage(ada, "Cells");
  made += 1;
  const componentId = `deck-of-cells-${made}`;
  const cards = [aCard("c1"), aCard("c2"), aCard("c3")];
  await ada.client.sync.sendChanges({
    payload: [aChange("component_create", componentId, deckComponent(componentId, pageId, cards))],
  });
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  const open = () => study.openDeck({ pageId, componentId });
  const reviewed = async () => (await ada.client.study.getDeckSchedule({ componentId })).schedules;
  const flush = async () => (await openQueue(ada.userId)).flush();
  return { ...world, ...study, api, ada, open, reviewed, flush, componentId };
}

const countDue = (studying: StudyState) => countDeckDue(studying, Date.now());
const reveal = <T extends object>(view: T): T => ({ ...view, isRevealed: true });

test("studying in the side panel follows the web app's rules, and answers reach the server once", async () => {
  const { open, grade, applyStudyEvent, reviewed, flush } = await aStudent();
  const begun = await open();
  if (!begun) throw new Error("no deck");
  expect(begun.session.current).toBe("c1");
  expect(countDue(begun)).toEqual({ due: 0, learning: 0, learningAt: null, fresh: 3, introduced: 0 });
  // A card cannot be graded before its answer is shown.
  expect(await grade(begun, 3)).toBe(begun);
  const first = await grade(reveal(begun), 4);
  expect(first.session.current).toBe("c2");
  const wrong = await grade(reveal(first), 1);
  const back = await applyStudyEvent(wrong, { type: "undo" });
  expect(back.session.current).toBe("c2");
  const right = await grade(reveal(back), 4);
  expect(countDue(right)).toEqual({ due: 0, learning: 0, learningAt: null, fresh: 1, introduced: 2 });
  await flush();
  const schedules = await reviewed();
  expect(
    schedules.map(({ cardId, reps }) => [cardId, reps] as const).toSorted((a, b) => a[0].localeCompare(b[0])),
  ).toEqual([
    ["c1", 1],
    ["c2", 1],
  ]);
  expect(schedules.find(({ cardId }) => cardId === "c1")?.dueAt).toBe(right.schedules.get("c1")?.dueAt);
});

test("offline, a deck opened before can be studied, and its answers are sent later", async () => {
  const { open, grade, answerWith, reviewed, flush } = await aStudent();
  await open();
  answerWith(() => {
    throw new TypeError("Failed to fetch");
  });
  const begun = await open();
  if (!begun) throw new Error("no deck");
  expect(begun.isCached).toBe(true);
  const next = await grade(reveal(begun), 4);
  expect(next.session.answers).toHaveLength(1);
  const again = await open();
  expect(again?.session.current).toBe("c2");
  answerWith(undefined);
  await flush();
  expect((await reviewed()).map(({ cardId }) => cardId)).toEqual(["c1"]);
});

test("a deleted deck shows a message", async () => {
  const { open, ada, componentId } = await aStudent();
  await ada.client.sync.sendChanges({ payload: [aChange("component_delete", componentId, {})] });
  expect(await open()).toBeUndefined();
});
