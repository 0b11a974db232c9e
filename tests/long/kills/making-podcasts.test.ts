import { expect, onTestFinished, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aDocument, guest } from "#tests/podcasts/made-podcast.ts";
import { aTextbook } from "#tests/podcasts/textbook.ts";
import { startTtsServer, type TtsTurn } from "#tests/podcasts/tts-server.ts";

const WAIT = { timeout: 120_000, interval: 100 };

test("after kill -9 while a voice is measured, at the first lines and in the middle, nothing is spoken twice", async () => {
  const speech = await startTtsServer("hold", "hold");
  const server = await startServerProcess({
    DEFAULT_PLAN: "PLUS",
    TTS_BASE_URL: speech.baseUrl,
    TTS_API_KEY: "secret",
    TTS_MODEL: "kokoro",
  });
  onTestFinished(async () => {
    await server.dispose();
    await speech.close();
  });
  const { client } = await registerAccount(server.origin);
  const sources = [{ type: "pdf" as const, id: await aDocument({ client }, aTextbook(1)) }];
  const { podcast } = await client.podcasts.createPodcast({ sources, guest, length_minutes: 5 });
  const { _id: id } = podcast;
  // Two lines are requested at once. When both are held, all answered lines are stored.
  const killWhenDelayed = async (kills: number) => {
    await expect.poll(() => speech.listDelayed().length, WAIT).toBe(2 * kills);
    await server.kill();
  };
  await killWhenDelayed(1);
  for (const [index, more] of [3, 5].entries()) {
    speech.play(...Array<TtsTurn>(more).fill("good"), "hold", "hold");
    await server.start();
    await killWhenDelayed(index + 2);
  }
  speech.play();
  await server.start();
  await expect.poll(async () => (await client.podcasts.getPodcast({ id })).podcast.status, WAIT).toBe("completed");
  const unanswered = speech.listDelayed();
  const spoken = speech.requests.map(({ input, voice }) => `${voice} ${input}`);
  const repeated = spoken.filter((line, index) => spoken.indexOf(line) !== index);
  expect(repeated.filter((line) => !unanswered.some((input) => line.endsWith(input)))).toEqual([]);
  expect((await client.user.getUsage({})).podcastCreations).toBe(1);
}, 400_000);
