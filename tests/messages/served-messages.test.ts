import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { createClient } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { v1 } from "#shared/contract/v1.ts";
import { announcements } from "#shared/marketing/announcements.ts";
import { served } from "#shared/messages/de/served.ts";
import { servedBy } from "#shared/messages/served.ts";
import * as german from "#shared/messages/german.ts";
import { asSaid, speak } from "#shared/messages/translate.ts";
import { servedMessages } from "#tests/kit/served.ts";

const inGerman = servedBy(served);
const saidByServer = servedMessages();
/** A sentence as it goes out, with a figure wherever something is put in. */
const sent = (words: string) => words.replaceAll(/\{\{\d+\}\}/g, "7");

afterEach(() => speak("en", { table: {}, titles: {}, served: {}, answers: {} }));

test("every sentence that the server says has a German one", () => {
  const said = saidByServer;
  expect(said.size).toBeGreaterThan(200);
  expect([...said].filter(([words]) => inGerman(sent(words)) === sent(words))).toEqual([]);
});

const newsWords = () =>
  announcements.flatMap(({ title, description }) => [
    title,
    ...description.flatMap((block) => (block.kind === "paragraph" ? [block.text] : block.items)),
  ]);

test("news are told in German, word for word", () => {
  expect(newsWords().filter((text) => inGerman(text) === text)).toEqual([]);
});

const bare = (words: string) => words.replaceAll(/\{\{\w+\}\}/g, "…").replace(/^[\w.]+: /, "");
const names = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
/** Labels and what the schemas of the contract say, which are no sentences in the code. */
const UNSEEN =
  /^(\{\{field\}\}: |A code has eight|Daily limit reached|\{\{label\}\} \(Limit|Uploads left today|Unlimited uploads|You've reached your usage)/;

test("no German sentence stands for one that nobody says, and each takes the same values", () => {
  const said = new Set([...saidByServer.keys(), ...newsWords()].map(bare));
  expect(Object.keys(served).filter((english) => !UNSEEN.test(english) && !said.has(bare(english)))).toEqual([]);
  for (const [english, words] of Object.entries(served))
    expect(names(english), english).toEqual(expect.arrayContaining(names(words)));
});

test("what a schema refuses is said in German as well", () => {
  const schema = z.object({
    name: z.string().min(2).max(3),
    email: z.email(),
    kind: z.enum(["a", "b"]),
    ids: z.array(z.string()).max(1),
  });
  const given = [
    { name: "", email: "x@y.de", kind: "a", ids: [] },
    { name: "long", email: "x@y.de", kind: "a", ids: [] },
    { name: "abc", email: "x", kind: "a", ids: [] },
    { name: "abc", email: "x@y.de", kind: "c", ids: [] },
    { name: "abc", email: "x@y.de", kind: "a", ids: ["", ""] },
    { name: 7, email: "x@y.de", kind: "a", ids: [] },
    { email: "x@y.de", kind: "a", ids: [] },
  ];
  const said = given.map((value) => {
    const issue = schema.safeParse(value).error?.issues[0];
    return inGerman(`${issue?.path.join(".")}: ${issue?.message}`);
  });
  expect(said).toEqual([
    "name: mindestens 2 Zeichen",
    "name: höchstens 3 Zeichen",
    "email: Das ist keine E-Mail-Adresse",
    'kind: eines von "a"|"b"',
    "ids: höchstens 1",
    "name: hat die falsche Form",
    "name: fehlt",
  ]);
});

test("values of a sentence are kept, and a field that it names is left out where the sentence speaks for itself", () => {
  expect(inGerman('File type "text/x-odd" is not supported. Please upload a PDF or image file.')).toBe(
    "Der Dateityp „text/x-odd“ wird nicht unterstützt. Bitte lade ein PDF oder ein Bild hoch.",
  );
  expect(inGerman("File too large (12.5MB). Your plan allows up to 10MB. Upgrade for 300MB files!")).toBe(
    "Die Datei ist zu groß (12.5 MB). Dein Tarif erlaubt bis zu 10 MB. Ein größerer Tarif erlaubt 300 MB!",
  );
  expect(inGerman("options.model: There is no such model.")).toBe("Dieses Modell gibt es nicht.");
  expect(inGerman("title: Too big: expected string to have <=200 characters")).toBe("title: höchstens 200 Zeichen");
});

test("a sentence that nobody put into German is shown as it was sent", () => {
  expect(inGerman("constructor")).toBe("constructor");
  expect(inGerman("A sentence of some other server.")).toBe("A sentence of some other server.");
});

test("in a German interface a refusal is read in German, though the wire carries the specification's words", async () => {
  const words = "You've used all 3 uploads today. Upgrade to Ultimate for unlimited uploads!";
  const body = { status: 402, error: "Limit reached", code: "limit_reached", message: words };
  const answer = vi.fn(async () => new Response(JSON.stringify(body), { status: 402 }));
  const client = createClient(
    v1,
    fetchTransport({ origin: "http://localhost", token: () => undefined, fetch: answer }),
  );
  const refusal = () => client.user.getUsage({}).catch((error: unknown) => friendlyFailure(error)?.message);

  expect(await refusal()).toBe(words);
  await speak("de", german);
  expect(await refusal()).toBe("Du hast heute alle 3 Uploads verbraucht. Mit Ultimate lädst du unbegrenzt hoch!");
});

test("a stream that fails says why in German too", async () => {
  const failing = JSON.stringify({ type: "error", seq: 1, code: "broken", message: "Stopped." });
  const answer = async () => new Response(`\u0002${failing}\u0003`);
  const client = createClient(
    v1,
    fetchTransport({ origin: "http://localhost", token: () => undefined, fetch: answer }),
  );
  await speak("de", german);
  const events: unknown[] = [];
  for await (const event of client.pdf.sumUp({ id: "1" })) events.push(event);
  expect(events).toEqual([{ type: "error", seq: 1, code: "broken", message: "Angehalten." }]);
});

test("what is said by both, client and server, is said in the language of the document", async () => {
  expect(asSaid("This is your last upload today.")).toBe("This is your last upload today.");
  await speak("de", german);
  expect(asSaid("This is your last upload today.")).toBe("Das ist dein letzter Upload für heute.");
});
