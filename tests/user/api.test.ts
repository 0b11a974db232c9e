import { expect, test } from "vitest";
import { ownedBy } from "#api/store/owned-store.ts";
import { countUsage, refundUsage } from "#api/user/service.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";

const DAY_MS = 86_400_000;
const asOwner = (api: TestApi, user: TestUser) => ({ own: ownedBy(api.deps.store, user.userId), clock: api.clock });

test("a new account has the default preferences", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  expect(await client.user.getPreferences({})).toMatchObject({
    sidebar: { minimized: true },
    features: { text_completion_enabled: true },
    flashcards: {
      quiz_bucket: "all",
      autoplay_interval_seconds: 5,
      quiz_question_types: {
        multiple_choice: true,
        true_false: true,
        short_response: false,
        fill_in_the_blank: false,
      },
    },
    conversation: { max_words: 150 },
    assistant: { language: "English", width: 450 },
    research: { canvas_width: 800 },
  });
});

test("preferences are merged by key, whether one or all are sent", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  await client.user.savePreferences({ appearance: { theme: "dark" } });
  await client.user.savePreferences({ assistant: { width: 600 } });
  const whole = await client.user.getPreferences({});
  expect(whole).toMatchObject({ appearance: { theme: "dark" }, assistant: { width: 600, language: "English" } });
  expect(await client.user.savePreferences(whole)).toEqual(whole);
});

test("two devices that change different preferences at once keep both", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  await Promise.all([
    client.user.savePreferences({ sidebar: { minimized: false } }),
    client.user.savePreferences({ sidebar: { pages_minimized: true } }),
    client.user.savePreferences({ hidePageOnboarding: true }),
  ]);
  expect(await client.user.getPreferences({})).toMatchObject({
    sidebar: { minimized: false, pages_minimized: true },
    hidePageOnboarding: true,
  });
});

test("preferences with an invalid value are refused completely", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const save = client.user.savePreferences({ hidePageOnboarding: true, appearance: { theme: "sepia" } });
  await expect(save).rejects.toMatchObject({ code: "bad_input" });
  expect(await client.user.getPreferences({})).toMatchObject({ hidePageOnboarding: false });
});

test("each student has their own preferences", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  await ada.client.user.savePreferences({ appearance: { theme: "dark" } });
  expect(await eve.client.user.getPreferences({})).toMatchObject({ appearance: { theme: "system" } });
});

test("name and time zone are saved, and an unknown time zone is refused", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const { user } = await client.user.saveSettings({ timezone: "America/New_York" });
  expect(user).toMatchObject({ name: "Ada", timezone: "America/New_York" });
  expect((await client.user.saveSettings({ name: " Grace " })).user).toMatchObject({ name: "Grace" });
  expect((await client.auth.getUser({})).user).toMatchObject({ name: "Grace", timezone: "America/New_York" });
  const wrong = client.user.saveSettings({ timezone: "Mars/Olympus" });
  await expect(wrong).rejects.toMatchObject({ code: "bad_input" });
});

test("usage starts at zero", async () => {
  const api = await startApi();
  const { client, userId } = await api.newUser();
  expect(await client.user.getUsage({})).toEqual({
    userId,
    period: "2026-09-01",
    assistantMessages: 0,
    researchMessages: 0,
    totalCardsStudied: 0,
    fileUploads: 0,
    podcastCreations: 0,
    autocompleteWords: 0,
    createdAt: api.clock.now(),
  });
});

test("a hundred concurrent uses pass exactly up to the limit", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const uses = Array.from({ length: 100 }, () => countUsage(asOwner(api, ada), "assistantMessages", 1, 5));
  const outcomes = await Promise.all(uses);
  expect(outcomes.filter((use) => use.outcome === "counted")).toHaveLength(5);
  expect(await ada.client.user.getUsage({})).toMatchObject({ assistantMessages: 5 });
});

test("without a limit every use passes and is counted", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  await Promise.all(
    Array.from({ length: 20 }, () => countUsage(ctx, "autocompleteWords", 7, Number.POSITIVE_INFINITY)),
  );
  expect(await ada.client.user.getUsage({})).toMatchObject({ autocompleteWords: 140 });
});

test("a refunded use can be used again on its day, and the count never goes below zero", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const ctx = asOwner(api, ada);
  const first = await countUsage(ctx, "fileUploads", 1, 1);
  expect(await countUsage(ctx, "fileUploads", 1, 1)).toEqual({ outcome: "limit_reached", limit: 1 });
  if (first.outcome !== "counted") throw new Error("the first use is counted");
  await refundUsage(ctx.own, first.counted);
  await refundUsage(ctx.own, first.counted);
  expect(await ada.client.user.getUsage({})).toMatchObject({ fileUploads: 0 });
  const again = await countUsage(ctx, "fileUploads", 1, 1);
  api.clock.advance(DAY_MS);
  expect((await countUsage(ctx, "fileUploads", 1, 1)).outcome).toBe("counted");
  if (again.outcome === "counted") await refundUsage(ctx.own, again.counted);
  expect(await ada.client.user.getUsage({})).toMatchObject({ period: "2026-09-02", fileUploads: 1 });
});

test("daily counters reset at UTC midnight, separately for each student", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  await countUsage(asOwner(api, ada), "researchMessages", 1, 1);
  expect(await eve.client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
  api.clock.advance(DAY_MS);
  expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 0 });
});

test("the streak is zero before the first study", async () => {
  const api = await startApi();
  const { client, userId } = await api.newUser();
  expect(await client.user.getStreak({})).toMatchObject({
    user: userId,
    currentStreak: 0,
    longestStreak: 0,
    lastStudied: null,
  });
});

test("preferences with thousands of keys are refused, all real ones with long texts accepted", async () => {
  const api = await startApi();
  const { client, token } = await api.newUser();
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, index]));
  const response = await fetch(`${api.origin}/v1/user/preferences`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(keys),
  });
  expect(response.status).toBe(413);
  const all = await client.user.getPreferences({});
  const instructions = "é\n".repeat(2_000);
  const saved = await client.user.savePreferences({
    ...all,
    assistant: { ...all.assistant, custom_instructions: instructions },
    features: { ...all.features, text_completion_custom_instructions: instructions },
  });
  expect(saved.assistant.custom_instructions).toBe(instructions);
});
