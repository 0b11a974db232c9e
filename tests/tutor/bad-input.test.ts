import { expect, onTestFinished, test } from "vitest";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";

const RIBOSOME = "The ribosome reads messenger RNA one codon at a time.";
const asked = { text: "What does the ribosome read?" };

async function aModel(say: (prompt: string) => string, script: Turn[] = [], env: Record<string, string> = {}) {
  const server = await startModelServer({ script, say });
  onTestFinished(() => server.close());
  const settings = { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", ...env };
  return { server, api: await startApi({ env: settings, realClock: true }) };
}

async function aStudent(api: TestApi, ...texts: string[]) {
  const ada = await api.newUser({ plan: "FREE" });
  const pageId = await aPage(ada);
  for (const text of texts) await aText(ada, pageId, text);
  return { ada, ground: { kind: "chosen" as const, pageIds: [pageId], componentIds: [] } };
}

test.each([
  ["is JSON instead of text", '{"answer": "It reads RNA.", "citations": [{"id": "P1"}]}'],
  ["is fenced", '```markdown\nIt reads mRNA. [P1: "reads messenger RNA one codon"]\n```'],
  ["ends in half a citation marker", 'It reads mRNA. [P1: "reads messenger RNA one cod'],
  ["has an unterminated citation marker", `It reads mRNA. [P1: "${"and so on it goes ".repeat(120)}`],
  ["has nested citation markers", 'It reads [P1: "reads [P1: "messenger RNA"] one codon"] mRNA.'],
  ["cites missing passages", 'It reads mRNA. [P0: "messenger RNA"] [P99: "one codon at a time"] [P: "x"]'],
  ["is a refusal", "I'm sorry, but I can't help with that."],
  ["talks about itself", "<think>[P1: the secret]</think>As an AI I read: it reads mRNA."],
  ["consists of citation markers only", '[P1: "words that stand nowhere at all"]'],
  ["is one endless word", "a".repeat(9000)],
  ["has control characters", "\u0000\u0008\u202E\uFFFF It reads mRNA. \uD800"],
])("an answer that %s is shown without unverified citations", async (_what, reply) => {
  const { api } = await aModel(() => reply);
  const { ada } = await aStudent(api, RIBOSOME);
  const { message } = await ask(ada.client, aQuestion(asked));
  expect(["done", "failed"]).toContain(message.status);
  expect(message.text).not.toMatch(/\[P\d|secret|stand nowhere/);
  for (const { quote } of message.citations) expect(RIBOSOME).toContain(quote);
  const marks = [...message.text.matchAll(/\[\^(\d+)\]/g)].map(([, n]) => Number(n));
  expect(marks.every((n) => message.citations.some((citation) => citation.n === n))).toBe(true);
  // The conversation can continue after this answer.
  const next = aQuestion({ threadId: message.threadId, parent: message._id, text: "And the ribosome then?" });
  expect((await ask(ada.client, next)).message.threadId).toBe(message.threadId);
});

test("a silent model server times out after AI_TIMEOUT with an error, and the question isn't counted", async () => {
  const { api } = await aModel(() => "", ["silent", "silent", "silent"], { AI_TIMEOUT: "1" });
  const { ada } = await aStudent(api, RIBOSOME);
  const { message } = await ask(ada.client, aQuestion(asked));
  expect(message).toMatchObject({ status: "failed", text: "", error: expect.stringContaining("stopped answering") });
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(0);
});

test("a slow model server's answer is read to its end, however long it takes", async () => {
  const reply = "One word after another comes slowly. ".repeat(60);
  const { api } = await aModel(() => reply, ["slow"], { AI_TIMEOUT: "1" });
  const { ada } = await aStudent(api, RIBOSOME);
  expect((await ask(ada.client, aQuestion(asked))).message).toMatchObject({ status: "done", text: reply });
});

test("an unreachable model server is reported, and the question isn't counted", async () => {
  const { server, api } = await aModel(() => "");
  const { ada } = await aStudent(api, RIBOSOME);
  await server.close();
  const { message } = await ask(ada.client, aQuestion(asked));
  expect(message).toMatchObject({ status: "failed", error: expect.stringContaining("could not be reached") });
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(0);
});

test.each([
  ["no text", ""],
  ["one word", "Ribosome"],
  ["a table of numbers", "12 13 14\n15 16 17\n18 19 20"],
  ["three megabytes in one line", "ribosome reads codon ".repeat(150_000)],
])(
  "with a source of %s the model's prompt fits its limit, and it answers",
  async (_what, text) => {
    const { server, api } = await aModel(() => "It reads what stands there.");
    const { ada, ground } = await aStudent(api, text);
    const { message } = await ask(ada.client, aQuestion({ ...asked, ground }));
    expect(message).toMatchObject({ status: "done", text: "It reads what stands there." });
    for (const { prompt } of server.requests) expect(prompt.length).toBeLessThan(40_000);
  },
  60_000,
);

const five = [
  ["Das Ribosom liest die Boten-RNA immer ein Codon nach dem anderen.", "Was liest das Ribosom?"],
  ["Le chloroplaste capte la lumière du soleil dans les feuilles.", "Que capte le chloroplaste ?"],
  ["Τα ριβοσώματα διαβάζουν το αγγελιοφόρο RNA στο κύτταρο κάθε στιγμή.", "Τι διαβάζουν τα ριβοσώματα;"],
  ["Митохондрия освобождает энергию из глюкозы внутри каждой клетки.", "Что освобождает митохондрия?"],
  ["The enzyme lowers the activation energy of one reaction only.", "What does the enzyme lower?"],
] as const;

test("with sources in five languages, each question finds the right sentence", async () => {
  const api = await startApi();
  const { ada } = await aStudent(api, ...five.map(([sentence]) => sentence));
  for (const [sentence, text] of five) {
    const { message } = await ask(ada.client, aQuestion({ text }));
    expect([text, message.citations[0]?.quote]).toEqual([text, sentence]);
  }
});

test("concurrent and repeated questions on two devices use the day's last question once", async () => {
  const { api } = await aModel(() => "Yes.", [], { RATE_LIMIT_FACTOR: "10" });
  const { ada } = await aStudent(api, RIBOSOME);
  for (let n = 0; n < 4; n += 1) await ask(ada.client, aQuestion(asked));
  const phone = api.clientFor(ada.token);
  const last = Array.from({ length: 6 }, () => aQuestion(asked));
  const tries = last.flatMap((question) => [ask(ada.client, question), ask(phone, question)]);
  const done = (await Promise.allSettled(tries)).flatMap((outcome) =>
    outcome.status === "fulfilled" ? [outcome.value.message] : [],
  );
  expect(new Set(done.map(({ _id }) => _id)).size).toBe(1);
  expect((await ada.client.user.getUsage({})).assistantMessages).toBe(5);
});

test("a question without an answer is refunded and can be asked again at the limit", async () => {
  const { api } = await aModel(() => "Yes.", [...Array<Turn>(4).fill("good"), "bad_key", "good"]);
  const { ada } = await aStudent(api, RIBOSOME);
  for (let n = 0; n < 4; n += 1) await ask(ada.client, aQuestion(asked));
  expect((await ask(ada.client, aQuestion(asked))).message.status).toBe("failed");
  expect((await ask(ada.client, aQuestion(asked))).message.status).toBe("done");
  await expect(ask(ada.client, aQuestion(asked))).rejects.toMatchObject({ code: "limit_reached" });
});
