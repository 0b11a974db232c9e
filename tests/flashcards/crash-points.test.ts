import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { CardEvent, CardRequest, Model } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Job, JobEvent, JobRun } from "#api/jobs/jobs-port.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { GENERATION_JOB, type GenerationInput } from "#api/flashcards/generation.ts";
import { saveSourceText } from "#api/flashcards/store.ts";
import { runGeneration } from "#api/flashcards/generation-job.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";

class CrashError extends Error {}

/** A job log that can let the process die before or after one of its writes. */
class FragileJob {
  readonly events: JobEvent[] = [];
  job: Job;
  writes = 0;

  constructor(job: Job) {
    this.job = job;
  }

  run(crash: { at: number; when: "before" | "after" } | undefined): JobRun {
    const life = new AbortController();
    const die = () => {
      const error = new CrashError("the process died");
      life.abort(error);
      throw error;
    };
    return {
      job: this.job,
      signal: life.signal,
      emit: async (events, checkpoint) => {
        life.signal.throwIfAborted();
        this.writes++;
        const isLast = this.writes === crash?.at;
        if (isLast && crash?.when === "before") die();
        for (const event of events) this.events.push({ seq: this.events.length + 1, event });
        this.job = { ...this.job, checkpoint, lastSeq: this.events.length };
        if (isLast) die();
      },
    };
  }
}

const PARTS = 3;
const CARDS_PER_PART = 4;

/** A model that writes different cards about the same things in each run, as hosted models do. */
function forgetfulModel(story: number): Model {
  let asked = 0;
  async function* generateCards({ startAt = 0, passages }: CardRequest): AsyncGenerator<CardEvent> {
    asked++;
    const passageId = passages[0]?.id ?? "";
    for (let part = startAt; part < PARTS; part++) {
      for (let i = 0; i < CARDS_PER_PART; i++) {
        const question = `What is thing ${part}-${i} of run ${asked} in story ${story}?`;
        yield { type: "card", card: { question, answer: "a thing", quote: "Every thing is a thing.", passageId } };
      }
      yield { type: "progress", done: part + 1, total: PARTS, stage: "asking" };
    }
  }
  return { info: { id: "m", name: "m", description: "" }, generateCards };
}

/** A model that writes the same cards in each run, as the built-in engine does. */
function steadyModel(story: number): Model {
  const model = forgetfulModel(story);
  async function* generateCards(request: CardRequest): AsyncGenerator<CardEvent> {
    const { startAt: _, ...rest } = request;
    yield* forgetfulModel(story).generateCards(rest);
  }
  return { info: model.info, generateCards };
}

async function aJob(api: TestApi, user: TestUser) {
  const pageId = await aPage(user);
  const target = { pageId, componentId: await aDeck(user, pageId, []) };
  const own = ownedBy(api.deps.store, user.userId);
  const _id = `${user.userId}:${ulid()}`;
  await saveSourceText(own, { _id: `${_id}:text:0`, jobKey: _id, text: "Every thing is a thing.", createdAt: 0 });
  const sources = [{ kind: "text" as const, name: "Things", textId: `${_id}:text:0`, place: null }];
  const input: GenerationInput = { options: { density: "AUTO", target }, sources, refused: [] };
  const times = { createdAt: 0, endedAt: null };
  const job: Job = {
    _id,
    ownerId: user.userId,
    kind: GENERATION_JOB,
    status: "running",
    input,
    checkpoint: null,
    lastSeq: 0,
    ...times,
  };
  return { fragile: new FragileJob(job), target };
}

function depsFor(api: TestApi, fragile: FragileJob, model: Model): Deps {
  async function* follow(): AsyncGenerator<JobEvent> {
    yield* fragile.events;
  }
  const jobs = { ...api.deps.jobs, follow, get: async () => fragile.job };
  const models = {
    list: async () => ({ models: [], defaultModel: "m" }),
    choose: async () => model,
    embedder: async () => undefined,
    checkServer: async () => "none" as const,
    findLocal: async () => ({ server: "absent" as const, address: "", models: [] }),
  };
  return { ...api.deps, jobs, models };
}

const cardsOf = ({ events }: FragileJob) =>
  events.flatMap(({ event }) => (event["type"] === "card" ? [event["card"] as Flashcard] : []));

async function deckOf(user: TestUser, componentId: string) {
  const { component } = await user.client.pages.getComponent({ id: componentId });
  return component.type === "flash_cards" ? component.content.cards : [];
}

test.each([
  ["new cards", forgetfulModel],
  ["the same cards", steadyModel],
])(
  "after a crash at any write, a resumed generation (%s) has the same cards in deck, log and result, each once",
  async (_, makeModel) => {
    const api = await startApi();
    const ada = await api.newUser();
    // Each run has its own cards, because cards of one deck are not made for another.
    let story = 0;
    let isThrough = false;
    for (let at = 1; !isThrough; at++)
      for (const when of ["before", "after"] as const) {
        const { fragile, target } = await aJob(api, ada);
        const deps = depsFor(api, fragile, makeModel(story++));
        const died = await runGeneration(deps, fragile.run({ at, when })).then(
          () => false,
          () => true,
        );
        isThrough = !died;
        if (died) await runGeneration(deps, fragile.run(undefined));
        const cards = cardsOf(fragile);
        expect(cards.length).toBeGreaterThanOrEqual(PARTS * CARDS_PER_PART);
        expect(new Set(cards.map((c) => c.id)).size).toBe(cards.length);
        expect(await deckOf(ada, target.componentId)).toEqual(cards);
        expect(fragile.events.at(-1)?.event).toMatchObject({ type: "result", result: { cards } });
        expect(fragile.events.filter(({ event }) => event["type"] === "result")).toHaveLength(1);
        if (makeModel === steadyModel) expect(cards).toHaveLength(PARTS * CARDS_PER_PART);
      }
  },
);
