import * as fc from "fast-check";
import type { DeckContent } from "#shared/flashcards/schema.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { aCard, textComponent, textContent } from "#tests/store/changes.ts";
import { memoryDocuments } from "#tests/store/memory-documents.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { SimulatedTab } from "./simulated-client.ts";
import { CHANNEL_MS } from "./simulated-client.ts";
import { PAGES, shownText, TABS_PER_BROWSER, World, type CallOutcome, type Mutation, type Op } from "./world.ts";

const anyPick = fc.nat(1000);
const anyTab = fc.nat(3);
const anyBrowser = fc.nat(1);
const anyOutcome: fc.Arbitrary<CallOutcome> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<CallOutcome>({ kind: "fine" }) },
  { weight: 2, arbitrary: fc.constant<CallOutcome>({ kind: "lost request" }) },
  { weight: 4, arbitrary: fc.constant<CallOutcome>({ kind: "lost answer" }) },
  { weight: 2, arbitrary: fc.constant<CallOutcome>({ kind: "doubled" }) },
  { weight: 1, arbitrary: fc.constant<CallOutcome>({ kind: "refused for now" }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("late" as const), delayMs: fc.nat(20_000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("again later" as const), delayMs: fc.nat(20_000) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("crash" as const), afterWrites: fc.nat(8) }) },
);

const edits = ["type", "delete", "restore", "create", "sort", "move", "reload"] as const;
const cardEdits = ["add card", "change card", "remove card"] as const;

/** What students do and what happens to them meanwhile. */
export const ops: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("type" as const), tab: anyTab, pick: anyPick }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...edits), tab: anyTab, pick: anyPick }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...cardEdits), tab: anyTab, pick: anyPick }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("title" as const), tab: fc.constant(0 as const), pick: anyPick }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(3000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(60_000) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("kill" as const), browser: anyBrowser }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("skew" as const),
        browser: anyBrowser,
        hours: fc.integer({ min: -30, max: 30 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("network" as const),
        browser: anyBrowser,
        fates: fc.array(anyOutcome, { minLength: 1, maxLength: 6 }),
      }),
    },
  ),
  { minLength: 3, maxLength: 30, size: "max" },
);

const DECK = "deck-one-00";

/** The expected state: what the queue guarantees to survive. */
class ExpectedState {
  /** Texts that must still exist, because nobody who saw them overwrote them; with the browser that wrote each. */
  readonly survivingTexts = new Map<string, { browser: number }>();
  readonly cards = new Map<string, { removed: boolean }>([["card-0", { removed: false }]]);
  /** Whether each created component must exist, and the browsers that created, deleted or restored it. */
  readonly componentPresence = new Map<string, { browsers: Set<number>; isPresent: boolean }>();
  title = "start";
  #tokens = 0;
  #ids = 0;

  /** A text that occurs nowhere else. */
  nextToken(): string {
    this.#tokens += 1;
    return `tok-${this.#tokens}-`;
  }

  /** Does not contain a token: a component without its text would otherwise count as the text. */
  nextComponentId(): string {
    this.#ids += 1;
    return `made-${this.#ids}-000`;
  }

  recordText(token: string, replaced: string, browserIndex: number): void {
    this.survivingTexts.delete(replaced);
    this.survivingTexts.set(token, { browser: browserIndex });
  }

  recordPresence(id: string, browserIndex: number, isPresent: boolean): void {
    const browsers = this.componentPresence.get(id)?.browsers ?? new Set<number>();
    this.componentPresence.set(id, { browsers: browsers.add(browserIndex), isPresent });
  }
}

type ActionContext = { world: World; expected: ExpectedState; tab: SimulatedTab; browser: number; pick: number };

const textsOn = (shown: SimulatedTab) => [...shown.screen].filter(([, { type }]) => type === "text");
const choose = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

const studentActions = {
  async type({ expected, tab, browser, pick }: ActionContext) {
    const [id, shown] = choose(textsOn(tab), pick) ?? [];
    if (id === undefined || shown === undefined) return;
    const token = expected.nextToken();
    const basis = shownText(shown);
    const newContent = textContent(token);
    tab.screen.set(id, { ...shown, content: newContent });
    await tab.queue.enqueue("component_content_update", id, { newContent }, { baseVersion: shown.version });
    expected.recordText(token, basis, browser);
  },
  async create({ expected, tab, browser, pick }: ActionContext) {
    const token = expected.nextToken();
    const id = expected.nextComponentId();
    const component = textComponent(id, PAGES[pick % 2] as string, token);
    tab.screen.set(id, { type: "text", version: 1, content: component.component.content });
    await tab.queue.enqueue("component_create", id, component);
    expected.recordText(token, "", browser);
    expected.recordPresence(id, browser, true);
  },
  async delete({ expected, tab, browser, pick }: ActionContext) {
    const [id, shown] = choose(textsOn(tab), pick) ?? [];
    if (id === undefined || shown === undefined) return;
    tab.screen.delete(id);
    tab.deleted.set(id, shown);
    await tab.queue.enqueue("component_delete", id, {});
    expected.survivingTexts.delete(shownText(shown));
    expected.recordPresence(id, browser, false);
  },
  async restore({ expected, tab, browser, pick }: ActionContext) {
    const [id, shown] = choose([...tab.deleted], pick) ?? [];
    if (id === undefined || shown === undefined || tab.screen.has(id)) return;
    tab.deleted.delete(id);
    tab.screen.set(id, shown);
    const component = textComponent(id, PAGES[0], shownText(shown));
    await tab.queue.enqueue("component_create", id, component);
    expected.recordPresence(id, browser, true);
  },
  async sort({ tab, pick }: ActionContext) {
    // Any other order that follows from `pick` will do.
    const shownIds = [...tab.screen.keys()];
    const first = pick % Math.max(1, shownIds.length);
    const ids = [...shownIds.slice(first), ...shownIds.slice(0, first)];
    await tab.queue.enqueue("page_component_sort", PAGES[pick % 2] as string, { componentIds: ids });
  },
  async move({ tab, pick }: ActionContext) {
    const [id] = choose(textsOn(tab), pick) ?? [];
    const [fromPageId, toPageId] = pick % 2 ? [PAGES[0], PAGES[1]] : [PAGES[1], PAGES[0]];
    if (id !== undefined) await tab.queue.enqueue("component_move", id, { fromPageId, toPageId });
  },
  async title({ expected, tab }: ActionContext) {
    const title = expected.nextToken();
    await tab.queue.enqueue("page_update", PAGES[0], { title });
    expected.title = title;
  },
  async reload({ world, tab }: ActionContext) {
    tab.show(await world.states());
  },
  "add card": (context: ActionContext) =>
    changeDeck(context, (deck, token) => {
      const id = `card-${token}`;
      return {
        deck: { ...deck, cards: [...deck.cards, aCard(id, token)] },
        done: () => context.expected.cards.set(id, { removed: false }),
      };
    }),
  "change card": (context: ActionContext) =>
    changeDeck(context, (deck, token) => {
      const card = choose(deck.cards, context.pick);
      if (!card) return undefined;
      const cards = deck.cards.map((c) => (c === card ? { ...c, question: token } : c));
      return {
        deck: { ...deck, cards },
        done: () => context.expected.recordText(token, card.question, context.browser),
      };
    }),
  "remove card": (context: ActionContext) =>
    changeDeck(context, (deck) => {
      const card = choose(deck.cards, context.pick);
      if (!card) return undefined;
      const done = () => {
        context.expected.cards.set(card.id, { removed: true });
        context.expected.survivingTexts.delete(card.question);
      };
      return { deck: { ...deck, cards: deck.cards.filter((c) => c !== card) }, done };
    }),
};

type DeckChange = (deck: DeckContent, token: string) => { deck: DeckContent; done: () => unknown } | undefined;

async function changeDeck({ expected, tab }: ActionContext, change: DeckChange): Promise<void> {
  const shown = tab.screen.get(DECK);
  const changed = shown && change(shown.content as DeckContent, expected.nextToken());
  if (!shown || !changed) return;
  tab.screen.set(DECK, { ...shown, content: changed.deck });
  await tab.queue.enqueue(
    "component_content_update",
    DECK,
    { newContent: changed.deck },
    { baseVersion: shown.version },
  );
  changed.done();
}

type StudentOp = Extract<Op, { tab: number }>;
const isStudentOp = (op: Op): op is StudentOp => op.kind in studentActions;

async function applyWorldOp(world: World, expected: ExpectedState, op: Exclude<Op, StudentOp>): Promise<void> {
  switch (op.kind) {
    case "wait":
      return world.timers.advance(op.ms);
    case "kill":
      await world.kill(op.browser);
      return checkVisible(world, expected);
    case "skew":
      return world.skew(op.browser, op.hours);
    case "network":
      return void world.tab(op.browser * TABS_PER_BROWSER).browser.fates.push(...op.fates);
    default:
      return op satisfies never;
  }
}

async function applyOp(world: World, expected: ExpectedState, op: Op): Promise<void> {
  if (!isStudentOp(op)) return applyWorldOp(world, expected, op);
  const browser = Math.floor(op.tab / TABS_PER_BROWSER);
  await studentActions[op.kind]({ world, expected, tab: world.tab(op.tab).tab, browser, pick: op.pick });
  return world.timers.advance(0);
}

async function everythingOnServer(world: World, expected: ExpectedState): Promise<string> {
  const ids = ["text-one-00", "text-two-00", DECK, ...expected.componentPresence.keys()];
  const histories = await Promise.all([...new Set(ids)].map((id) => world.server.historyOf(id).catch(() => [])));
  return JSON.stringify([[...(await world.states()).values()], histories]);
}

/**
 * True if this unsaved text need not be on the screen: a later unsaved request for the same component replaces it, or the
 * component is deleted, here or by another browser.
 */
const mayBeHidden = (token: string, unsaved: readonly SyncRequest[], present: ReadonlySet<string>) =>
  unsaved.some((request) => {
    if (!JSON.stringify(request).includes(token)) return false;
    const sameResource = unsaved.filter(({ resourceId }) => resourceId === request.resourceId);
    const hasPending = (type: SyncRequest["type"]) => sameResource.some((one) => one.type === type);
    const isReplaced = sameResource.some(({ seq }) => seq > request.seq);
    const isDeletedHere = hasPending("component_delete");
    const isDeletedElsewhere = !present.has(request.resourceId) && !hasPending("component_create");
    return isReplaced || isDeletedHere || isDeletedElsewhere;
  });

/** Every text that the server lacks must be on a screen of the browser where it was typed, even after a restart. */
async function checkVisible(world: World, expected: ExpectedState): Promise<void> {
  const onServer = await everythingOnServer(world, expected);
  const states = [...(await world.states()).values()];
  const present = new Set(states.flatMap((state) => state.components.map(({ _id }) => _id)));
  const screens = world.browsers.map(({ tabs }) => JSON.stringify(tabs.map(({ screen }) => [...screen])));
  for (const [token, { browser }] of expected.survivingTexts) {
    if (onServer.includes(token) || screens[browser]?.includes(token)) continue;
    const unsaved = world.browsers[browser]?.tabs.flatMap(({ queue }) => queue.unsaved()) ?? [];
    if (mayBeHidden(token, unsaved, present)) continue;
    if (!(await appearsAfterReload(world, browser, unsaved, token)))
      world.broken.push(`${token} is nowhere to be seen`);
  }
}

/**
 * True if a reload would show the text: it was typed into a component that another browser deleted and somebody restored.
 */
async function appearsAfterReload(world: World, browser: number, unsaved: readonly SyncRequest[], token: string) {
  const tabs = world.browsers[browser]?.tabs ?? [];
  const requestWithText = unsaved.find((request) => JSON.stringify(request).includes(token));
  const states = await world.states();
  const isMissingOnScreen = ({ screen }: SimulatedTab) =>
    requestWithText !== undefined && !screen.has(requestWithText.resourceId);
  return tabs.some((each) => isMissingOnScreen(each) && JSON.stringify(each.visible(states)).includes(token));
}

async function checkEnd(world: World, expected: ExpectedState): Promise<void> {
  const { broken } = world;
  for (const { tabs } of world.browsers)
    for (const { queue } of tabs) if (queue.status().unsaved > 0) broken.push(`unsaved: ${queue.exportUnsaved()}`);
  const onServer = await everythingOnServer(world, expected);
  for (const token of expected.survivingTexts.keys()) if (!onServer.includes(token)) broken.push(`${token} is lost`);
  const states = [...(await world.states()).values()];
  const components = states.flatMap((state) => state.components);
  if (states[0]?.page?.title !== expected.title)
    broken.push(`the title is ${states[0]?.page?.title}, not ${expected.title}`);
  checkComponents(world, expected, components);
  checkDeck(world, expected, components.find(({ _id }) => _id === DECK)?.content as DeckContent | undefined);
}

function checkComponents(
  { broken, contentRequests }: World,
  { componentPresence }: ExpectedState,
  components: readonly Component[],
): void {
  const count = (id: string) => components.filter(({ _id }) => _id === id).length;
  for (const { _id, version } of components) {
    if (count(_id) !== 1) broken.push(`${_id} is there ${count(_id)} times`);
    const requests = contentRequests.get(_id)?.size ?? 0;
    if (version - 1 > requests) broken.push(`${_id} was changed ${version - 1} times by ${requests} requests`);
  }
  for (const [id, { browsers, isPresent }] of componentPresence)
    if (browsers.size === 1 && count(id) !== (isPresent ? 1 : 0))
      broken.push(`${id} should ${isPresent ? "" : "not "}be there`);
}

function checkDeck({ broken }: World, { cards }: ExpectedState, deck: DeckContent | undefined): void {
  const ids = deck?.cards.map((card) => card.id) ?? [];
  if (new Set(ids).size !== ids.length) broken.push("a card is in the deck twice");
  for (const [id, { removed }] of cards) if (!removed && !ids.includes(id)) broken.push(`${id} is lost`);
}

/** Runs the operations against a simulated world; returns every violated invariant. */
export async function runScenario(
  operations: readonly Op[],
  mutation: Mutation = {},
  documents: DocumentStore = memoryDocuments(),
): Promise<string[]> {
  const world = new World(mutation, documents);
  await world.begin();
  const expected = new ExpectedState();
  for (const op of operations) await applyOp(world, expected, op);
  // Time for each tab to receive the other's last request.
  await world.timers.advance(CHANNEL_MS);
  await checkVisible(world, expected);
  await world.heal();
  await checkEnd(world, expected);
  for (const { tabs } of world.browsers) for (const each of tabs) each.kill();
  return world.broken;
}
