import * as fc from "fast-check";
import type { DeckContent } from "#shared/flashcards/schema.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { aCard, textComponent, textContent } from "#tests/store/changes.ts";
import { memoryDocuments } from "#tests/store/memory-documents.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import type { SimulatedTab } from "./simulated-client.ts";
import { CHANNEL_MS } from "./simulated-client.ts";
import { PAGES, shownText, World, type CallOutcome, type Mutation, type Op } from "./world.ts";

const pick = fc.nat(1000);
const tab = fc.nat(3);
const browser = fc.nat(1);
const fate: fc.Arbitrary<CallOutcome> = fc.oneof(
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
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("type" as const), tab, pick }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...edits), tab, pick }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...cardEdits), tab, pick }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("title" as const), tab: fc.constant(0 as const), pick }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(3000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(60_000) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("kill" as const), browser }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("skew" as const), browser, hours: fc.integer({ min: -30, max: 30 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("network" as const),
        browser,
        fates: fc.array(fate, { minLength: 1, maxLength: 6 }),
      }),
    },
  ),
  { minLength: 3, maxLength: 30, size: "max" },
);

const DECK = "deck-one-00";

/** What the students know they did: only what was promised to be kept is in here. */
class Memory {
  /** Texts that nobody has replaced after reading them. */
  readonly standing = new Map<string, { browser: number }>();
  readonly cards = new Map<string, { removed: boolean }>([["card-0", { removed: false }]]);
  readonly lives = new Map<string, { browsers: Set<number>; isLive: boolean }>();
  title = "start";
  made = 0;

  token(): string {
    this.made += 1;
    return `tok-${this.made}-`;
  }

  wrote(token: string, basis: string, by: number): void {
    this.standing.delete(basis);
    this.standing.set(token, { browser: by });
  }

  life(id: string, by: number, isLive: boolean): void {
    const browsers = this.lives.get(id)?.browsers ?? new Set<number>();
    this.lives.set(id, { browsers: browsers.add(by), isLive });
  }
}

type Doing = { world: World; memory: Memory; tab: SimulatedTab; browser: number; pick: number };

const textsOn = (shown: SimulatedTab) => [...shown.screen].filter(([, { type }]) => type === "text");
const chosen = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

const acts = {
  async type({ memory, tab: on, browser: by, pick: at }: Doing) {
    const [id, shown] = chosen(textsOn(on), at) ?? [];
    if (id === undefined || shown === undefined) return;
    const token = memory.token();
    const basis = shownText(shown);
    const newContent = textContent(token);
    on.screen.set(id, { ...shown, content: newContent });
    await on.queue.enqueue("component_content_update", id, { newContent }, { baseVersion: shown.version });
    memory.wrote(token, basis, by);
  },
  async create({ memory, tab: on, browser: by, pick: at }: Doing) {
    const token = memory.token();
    const id = `made-${token}000`;
    const component = textComponent(id, PAGES[at % 2] as string, token);
    on.screen.set(id, { type: "text", version: 1, content: component.component.content });
    await on.queue.enqueue("component_create", id, component);
    memory.wrote(token, "", by);
    memory.life(id, by, true);
  },
  async delete({ memory, tab: on, browser: by, pick: at }: Doing) {
    const [id, shown] = chosen(textsOn(on), at) ?? [];
    if (id === undefined || shown === undefined) return;
    on.screen.delete(id);
    on.deleted.set(id, shown);
    await on.queue.enqueue("component_delete", id, {});
    memory.standing.delete(shownText(shown));
    memory.life(id, by, false);
  },
  async restore({ memory, tab: on, browser: by, pick: at }: Doing) {
    const [id, shown] = chosen([...on.deleted], at) ?? [];
    if (id === undefined || shown === undefined || on.screen.has(id)) return;
    on.deleted.delete(id);
    on.screen.set(id, shown);
    const component = textComponent(id, PAGES[0], shownText(shown));
    await on.queue.enqueue("component_create", id, component);
    memory.life(id, by, true);
  },
  async sort({ tab: on, pick: at }: Doing) {
    const ids = [...on.screen.keys()].toSorted((a, b) => ((a.length * at) % 7) - ((b.length * at) % 5));
    await on.queue.enqueue("page_component_sort", PAGES[at % 2] as string, { componentIds: ids });
  },
  async move({ tab: on, pick: at }: Doing) {
    const [id] = chosen(textsOn(on), at) ?? [];
    const [fromPageId, toPageId] = at % 2 ? [PAGES[0], PAGES[1]] : [PAGES[1], PAGES[0]];
    if (id !== undefined) await on.queue.enqueue("component_move", id, { fromPageId, toPageId });
  },
  async title({ memory, tab: on }: Doing) {
    const title = memory.token();
    await on.queue.enqueue("page_update", PAGES[0], { title });
    memory.title = title;
  },
  async reload({ world, tab: on }: Doing) {
    on.show(await world.states());
  },
  "add card": (doing: Doing) =>
    changeDeck(doing, (deck, token) => {
      const id = `card-${token}`;
      return {
        deck: { ...deck, cards: [...deck.cards, aCard(id, token)] },
        done: () => doing.memory.cards.set(id, { removed: false }),
      };
    }),
  "change card": (doing: Doing) =>
    changeDeck(doing, (deck, token) => {
      const card = chosen(deck.cards, doing.pick);
      if (!card) return undefined;
      const cards = deck.cards.map((c) => (c === card ? { ...c, question: token } : c));
      return { deck: { ...deck, cards }, done: () => doing.memory.wrote(token, card.question, doing.browser) };
    }),
  "remove card": (doing: Doing) =>
    changeDeck(doing, (deck) => {
      const card = chosen(deck.cards, doing.pick);
      if (!card) return undefined;
      const done = () => {
        doing.memory.cards.set(card.id, { removed: true });
        doing.memory.standing.delete(card.question);
      };
      return { deck: { ...deck, cards: deck.cards.filter((c) => c !== card) }, done };
    }),
};

type DeckChange = (deck: DeckContent, token: string) => { deck: DeckContent; done: () => unknown } | undefined;

async function changeDeck({ memory, tab: on }: Doing, change: DeckChange): Promise<void> {
  const shown = on.screen.get(DECK);
  const changed = shown && change(shown.content as DeckContent, memory.token());
  if (!shown || !changed) return;
  on.screen.set(DECK, { ...shown, content: changed.deck });
  await on.queue.enqueue(
    "component_content_update",
    DECK,
    { newContent: changed.deck },
    { baseVersion: shown.version },
  );
  changed.done();
}

type Act = Extract<Op, { tab: number }>;
const isAct = (op: Op): op is Act => op.kind in acts;

async function happen(world: World, memory: Memory, op: Exclude<Op, Act>): Promise<void> {
  switch (op.kind) {
    case "wait":
      return world.timers.advance(op.ms);
    case "kill":
      await world.kill(op.browser);
      return checkVisible(world, memory);
    case "skew":
      return world.skew(op.browser, op.hours);
    case "network":
      return void world.tab(op.browser * 2).browser.fates.push(...op.fates);
    default:
      return op satisfies never;
  }
}

async function act(world: World, memory: Memory, op: Op): Promise<void> {
  if (!isAct(op)) return happen(world, memory, op);
  await acts[op.kind]({ world, memory, tab: world.tab(op.tab).tab, browser: op.tab >> 1, pick: op.pick });
  return world.timers.advance(0);
}

async function everythingOnServer(world: World, memory: Memory): Promise<string> {
  const ids = ["text-one-00", "text-two-00", DECK, ...memory.lives.keys()];
  const histories = await Promise.all([...new Set(ids)].map((id) => world.server.historyOf(id).catch(() => [])));
  return JSON.stringify([[...(await world.states()).values()], histories]);
}

/** Of several unsaved writings of one thing the last one shows; what was deleted elsewhere waits for the history. */
const isCovered = (token: string, unsaved: readonly SyncRequest[], present: ReadonlySet<string>) =>
  unsaved.some((r) => {
    if (!JSON.stringify(r).includes(token)) return false;
    const others = unsaved.filter((o) => o !== r && o.resourceId === r.resourceId);
    const isMade = [r, ...others].some((o) => o.type === "component_create");
    const isGone = (!present.has(r.resourceId) && !isMade) || others.some((o) => o.type === "component_delete");
    return isGone || others.some((o) => o.seq > r.seq);
  });

/** What the server does not have is on the screen of the browser that made it, even after that browser was killed. */
async function checkVisible(world: World, memory: Memory): Promise<void> {
  const onServer = await everythingOnServer(world, memory);
  const states = [...(await world.states()).values()];
  const present = new Set(states.flatMap((state) => state.components.map(({ _id }) => _id)));
  const screens = world.browsers.map(({ tabs }) => JSON.stringify(tabs.map(({ screen }) => [...screen])));
  for (const [token, { browser: by }] of memory.standing) {
    if (onServer.includes(token) || screens[by]?.includes(token)) continue;
    const unsaved = world.browsers[by]?.tabs.flatMap(({ queue }) => queue.unsaved()) ?? [];
    if (isCovered(token, unsaved, present)) continue;
    if (!(await arrivesWithNextRead(world, by, unsaved, token))) world.broken.push(`${token} is nowhere to be seen`);
  }
}

/** Written into a thing that another browser deleted, and brought back since: the screen has it when it looks again. */
async function arrivesWithNextRead(world: World, by: number, unsaved: readonly SyncRequest[], token: string) {
  const tabs = world.browsers[by]?.tabs ?? [];
  const holder = unsaved.find((request) => JSON.stringify(request).includes(token));
  const states = await world.states();
  const lacksIt = ({ screen }: SimulatedTab) => holder !== undefined && !screen.has(holder.resourceId);
  return tabs.some((each) => lacksIt(each) && JSON.stringify(each.visible(states)).includes(token));
}

async function checkEnd(world: World, memory: Memory): Promise<void> {
  const { broken } = world;
  for (const { tabs } of world.browsers)
    for (const { queue } of tabs) if (queue.status().unsaved > 0) broken.push(`unsaved: ${queue.exportUnsaved()}`);
  const onServer = await everythingOnServer(world, memory);
  for (const token of memory.standing.keys()) if (!onServer.includes(token)) broken.push(`${token} is lost`);
  const states = [...(await world.states()).values()];
  const components = states.flatMap((state) => state.components);
  if (states[0]?.page?.title !== memory.title)
    broken.push(`the title is ${states[0]?.page?.title}, not ${memory.title}`);
  checkComponents(world, memory, components);
  checkDeck(world, memory, components.find(({ _id }) => _id === DECK)?.content as DeckContent | undefined);
}

function checkComponents(
  { broken, contentRequests }: World,
  { lives }: Memory,
  components: readonly Component[],
): void {
  const count = (id: string) => components.filter(({ _id }) => _id === id).length;
  for (const { _id, version } of components) {
    if (count(_id) !== 1) broken.push(`${_id} is there ${count(_id)} times`);
    const requests = contentRequests.get(_id)?.size ?? 0;
    if (version - 1 > requests) broken.push(`${_id} was changed ${version - 1} times by ${requests} requests`);
  }
  for (const [id, { browsers, isLive }] of lives)
    if (browsers.size === 1 && count(id) !== (isLive ? 1 : 0))
      broken.push(`${id} should ${isLive ? "" : "not "}be there`);
}

function checkDeck({ broken }: World, { cards }: Memory, deck: DeckContent | undefined): void {
  const ids = deck?.cards.map((card) => card.id) ?? [];
  if (new Set(ids).size !== ids.length) broken.push("a card is in the deck twice");
  for (const [id, { removed }] of cards) if (!removed && !ids.includes(id)) broken.push(`${id} is lost`);
}

/** Lives through it and answers what went wrong. */
export async function live(
  story: readonly Op[],
  mutation: Mutation = {},
  documents: DocumentStore = memoryDocuments(),
): Promise<string[]> {
  const world = new World(mutation, documents);
  await world.begin();
  const memory = new Memory();
  for (const op of story) await act(world, memory, op);
  // What one tab put into the queue last has reached the other.
  await world.timers.advance(CHANNEL_MS);
  await checkVisible(world, memory);
  await world.heal();
  await checkEnd(world, memory);
  for (const { tabs } of world.browsers) for (const each of tabs) each.kill();
  return world.broken;
}
