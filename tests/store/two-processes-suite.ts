import { createHash, randomBytes } from "node:crypto";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import { MIN_PIECE_BYTES } from "#shared/uploads/contract.ts";
import { planLimits } from "#shared/billing/rules.ts";
import { SITE_LIMITS } from "#shared/website/rules.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { noise } from "#tests/kit/random.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import type { ServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";
import { aChange, aDeck, aPage, aText, send, textComponent, textContent } from "./changes.ts";

/** One account with a client for each process. */
interface Student {
  clients: readonly [V1Client, V1Client];
  email: string;
  token: string;
}

/** Runs `work` `count` times at once, alternating between the processes; resolves to the number of successes. */
async function countSuccesses(count: number, work: (n: 0 | 1) => Promise<unknown>): Promise<number> {
  const settled = await Promise.allSettled(Array.from({ length: count }, (_, n) => work(n % 2 === 0 ? 0 : 1)));
  return settled.filter(({ status }) => status === "fulfilled").length;
}

const syllables = [
  "van",
  "tos",
  "rin",
  "pel",
  "nam",
  "lid",
  "kor",
  "bra",
  "cel",
  "dor",
  "fem",
  "gal",
  "hin",
  "jor",
  "kel",
];
const substance = (n: number) => `${syllables[n % 15]}${syllables[Math.floor(n / 15) % 15]}ine`;
const aBook = (facts: number) =>
  Array.from(
    { length: facts },
    (_, n) =>
      `The **${substance(n)}** is a substance that binds ${substance(n + 100)} to ${substance(200 - (n % 100))}. `,
  ).join("");

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What two API processes share, whatever store they have in common. `start` starts one of them with these settings. */
export function twoProcessesSuite(start: (env: Record<string, string>) => Promise<ServerProcess>): void {
  let servers: [ServerProcess, ServerProcess];

  beforeAll(async () => {
    const env = { DEFAULT_PLAN: "FREE", RATE_LIMIT_FACTOR: "1000" };
    servers = [await start(env), await start(env)];
  }, 120_000);

  afterAll(async () => {
    for (const server of servers.toReversed()) await server.dispose();
  });

  const clientsFor = (token?: string) =>
    servers.map(({ origin }) => createClient(v1, fetchTransport({ origin, token: () => token }))) as [
      V1Client,
      V1Client,
    ];

  async function newStudent(): Promise<Student> {
    const email = `${ulid()}@example.org`.toLowerCase();
    const { token } = await clientsFor()[0].auth.register({ name: "Ada", email, password: PASSWORD });
    return { clients: clientsFor(token), email, token };
  }

  test("daily limits count the calls to both processes together, even concurrent ones", async () => {
    const { clients } = await newStudent();
    const { assistantMessages, fileUploads } = planLimits.FREE;
    const pageId = await aPage({ client: clients[0] });
    await aText({ client: clients[0] }, pageId, "A ribosome joins amino acids to a protein.");
    // Waits for the index, because without it the answer is empty and not counted.
    const findText = async () => (await clients[0].library.search({ q: "ribosome" })).found.length;
    await expect.poll(findText).toBeGreaterThan(0);
    expect(await countSuccesses(12, (n) => ask(clients[n], aQuestion()))).toBe(assistantMessages);
    const upload = (n: 0 | 1) =>
      clients[n].uploads.uploadImageComponent({ pageId }, [
        { field: "file", file: tinyPdf([[`A codon names an amino acid. ${ulid()}`]]), name: "genes.pdf" },
      ]);
    expect(await countSuccesses(6, upload)).toBe(fileUploads);
    expect(await clients[1].user.getUsage({})).toMatchObject({ assistantMessages, fileUploads });
    expect((await clients[0].pages.getPage({ id: pageId })).components).toHaveLength(1 + fileUploads);
  });

  test("if one conversation is left within a website's limit, of twenty concurrent requests exactly one succeeds", async () => {
    const { clients } = await newStudent();
    const { _id: id } = await clients[0].website.createProject({ name: "Genes" });
    const create = (n: 0 | 1) => clients[n].website.createWebsiteThread({ id });
    const count = SITE_LIMITS.threads - 1;
    expect(await countSuccesses(count, create)).toBe(count);
    expect(await countSuccesses(20, create)).toBe(1);
    expect((await clients[0].website.listWebsiteThreads({ id })).threads).toHaveLength(SITE_LIMITS.threads);
  });

  test("wrong passwords on one process lock the account on the other", async () => {
    const { email } = await newStudent();
    const guess = (n: 0 | 1, password: string) => clientsFor()[n].auth.login({ email, password });
    expect(await countSuccesses(10, (n) => guess(n, "a wrong password"))).toBe(0);
    for (const n of [0, 1] as const)
      await expect(guess(n, PASSWORD)).rejects.toMatchObject({ code: "too_many_requests" });
  });

  const revocations: Record<string, (ended: V1Client, other: V1Client) => Promise<unknown>> = {
    "sign-out": (ended) => ended.auth.logout({}),
    "sign-out everywhere else": (_, other) => other.auth.removeOtherSessions({}),
    "a password change": (_, other) =>
      other.auth.changePassword({ password: PASSWORD, newPassword: "another lamp upon the desk" }),
  };

  test.each(Object.keys(revocations))(
    "%s on one process ends the session and its open stream on the other",
    async (name) => {
      const { clients, email } = await newStudent();
      const { tempToken } = await clients[0].auth.getUser({});
      const otherLogin = await clientsFor()[1].auth.login({ email, password: PASSWORD });
      const otherClients = clientsFor(otherLogin.token);
      const stream = clients[0].sync.followChanges({});
      expect((await stream.next()).done).toBe(false);
      await clients[1].study.getDue({});
      await revocations[name]?.(clients[1], otherClients[1]);
      for (const ended of [...clients, ...clientsFor(tempToken)])
        await expect(ended.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
      await aPage({ client: otherClients[1] }, "Not for the ended session");
      await expect.poll(async () => (await stream.next()).done).toBe(true);
    },
  );

  test("a token refreshed on both processes at once is replaced by one token", async () => {
    const { clients } = await newStudent();
    expect(await countSuccesses(6, (n) => clients[n].auth.refresh({}))).toBe(1);
  });

  test("a change sent to both processes is applied once; the other process shows it and sends an event for it", async () => {
    const { clients } = await newStudent();
    const [a, b] = clients;
    const pageId = await aPage({ client: a });
    const reader = new AbortController();
    const stream = b.sync.followChanges({}, { signal: reader.signal });
    const { value: first } = await stream.next();
    const ids = Array.from({ length: 12 }, () => ulid());
    await Promise.all(
      ids.map(async (id, n) => {
        const create = aChange("component_create", id, textComponent(id, pageId, `line ${n}`));
        await Promise.all(clients.map((client) => send({ client }, create)));
        const text = { newContent: textContent(`edited ${n}`) };
        const edit = aChange("component_content_update", id, text, { baseVersion: 1 });
        await Promise.all(clients.map((client) => send({ client }, edit)));
      }),
    );
    const { components } = await a.pages.getPage({ id: pageId });
    expect((await b.pages.getPage({ id: pageId })).components).toEqual(components);
    expect(components.map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(components.map(({ version }) => version))).toEqual(new Set([2]));
    const texts = components.map(({ content }) => JSON.stringify(content));
    for (const [n] of ids.entries()) expect(texts.filter((text) => text.includes(`"edited ${n}"`))).toHaveLength(1);
    const { value: second } = await stream.next();
    expect(second?.seq).toBeGreaterThan(first?.seq ?? Number.NaN);
    reader.abort();
  });

  test("an upload started on one process is continued and completed once on the other", async () => {
    const { clients, token } = await newStudent();
    const head = Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1");
    const film = Buffer.concat([head, noise(2 * MIN_PIECE_BYTES + 1000)]);
    const id = ulid();
    const video = { family: "video", name: "Lecture 9.mp4", type: "video/mp4", sizeBytes: film.length } as const;
    await clients[0].uploads.startUpload({ componentId: id, ...video });
    for (let offset = 0, n = 1; offset < film.length; offset += MIN_PIECE_BYTES, n += 1) {
      const file = new Blob([new Uint8Array(film.subarray(offset, offset + MIN_PIECE_BYTES))]);
      const append = (at: 0 | 1) =>
        clients[at].uploads.appendToUpload({ id, offset }, [{ field: "piece", file, name: "piece" }]);
      // Of the same piece sent to both at once, only one is accepted.
      expect(await countSuccesses(2, append)).toBe(1);
    }
    expect(await countSuccesses(4, (n) => clients[n].uploads.completeUpload({ id }))).toBeGreaterThan(0);
    const { component } = await clients[1].uploads.completeUpload({ id });
    if (component.type !== "video") throw new Error("not a video");
    expect((await clients[0].user.getUsage({})).fileUploads).toBe(1);
    for (const { origin } of servers) {
      const answer = await fetch(origin + component.content.url, { headers: { authorization: `Bearer ${token}` } });
      expect(hash(new Uint8Array(await answer.arrayBuffer()))).toBe(hash(film));
    }
  });

  test("an approval on one process connects the extension on the other, with one token", async () => {
    const { clients } = await newStudent();
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const anyone = clientsFor();
    const { deviceId, code } = await anyone[0].connections.startExtension({ name: "Chrome on Linux", challenge });
    await clients[1].connections.answerExtension({ code, isAllowed: true });
    const polls = Array.from({ length: 6 }, (_, n) =>
      anyone[n % 2 === 0 ? 0 : 1].connections.pollExtension({ deviceId, verifier }),
    );
    const answers = await Promise.all(polls);
    expect(new Set(answers.map((answer) => (answer.state === "connected" ? answer.token : answer.state))).size).toBe(1);
    expect((await clients[0].connections.listExtensions({})).extensions).toHaveLength(1);
  });

  test("a text written on one process is found on the other, which also continues the work of a stopped process", async () => {
    const { clients } = await newStudent();
    const pageId = await aPage({ client: clients[0] }, "Ribosomes");
    await aText({ client: clients[0] }, pageId, "The ribosome reads messenger RNA one codon at a time.");
    expect(JSON.stringify((await searchIndexed({ client: clients[1] }, { q: "codon" })).found)).toContain(pageId);

    const jobId = ulid();
    const target = { pageId, componentId: await aDeck({ client: clients[0] }, pageId, []) };
    const options = { target, jobId, density: "HIGH" as const };
    const seen: GenerationEvent[] = [];
    for await (const event of clients[0].flashcards.generateCards.stream({ texts: [aBook(120)], options }, [])) {
      seen.push(event);
      if (event.type === "card") break;
    }
    const stopped = servers[0].stop();
    const after = seen.at(-1)?.seq ?? 0;
    for await (const event of clients[1].flashcards.followGeneration({ jobId, after })) seen.push(event);
    expect(await stopped).toBe(0);
    const result = seen.at(-1);
    if (result?.type !== "result") throw new Error(`ended with ${JSON.stringify(result)}`);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, n) => n));
    const cards = seen.flatMap((event) => (event.type === "card" ? [event.card.question] : []));
    expect(cards.length).toBeGreaterThan(5);
    expect(new Set(cards).size).toBe(cards.length);
  });
}
