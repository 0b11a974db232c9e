import { expect, test } from "vitest";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { seedInstance } from "#tests/admin/seeded-instance.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";

const { browser, server } = await startBrowserAndServer();

test("an administrator sees the server's state, reads feedback and signs a student out; nobody else does", async () => {
  // The first account of an installation on the own machine is its administrator.
  const { student: admin } = await registerStudent(browser, server.origin, { name: "Root" });
  const { student: ada, user } = await registerStudent(browser, server.origin, { name: "Ada" });
  await user.client.feedback.sendFeedback({
    feedback: "The statistics take long to open.\nEverything else is fine.",
    category: "Something's Broken",
    currentRoute: "/home",
    email: "",
    mode: "detailed",
  });

  await ada.open("/admin");
  await ada.waitForText("Administrators only");

  await admin.open("/settings");
  await admin.press("link", "Overview");
  await admin.waitForText("Optional services");
  expect(await admin.checkScreen("admin-overview")).toEqual([]);
  await admin.press("link", "1 new message in the feedback inbox");
  await admin.waitForText("The statistics take long to open.");
  expect(await admin.checkScreen("admin-feedback")).toEqual([]);
  await admin.press("button", "Mark as done");
  await admin.waitForText("Mark as new");
  await admin.press("radio", "Done");
  await admin.waitForText("Mark as new");

  await admin.press("link", "Accounts");
  await admin.type("Search by account ID or the beginning of the email address", user.email.slice(0, 12));
  // Until the search is answered, the list has the rows of everybody, and those below move.
  await expect.poll(() => admin.readScreen()).not.toContain("Root");
  await admin.press("button", `Open Ada (${user.email})`);
  await admin.waitForText("Active sessions");
  expect(await admin.checkScreen("admin-account")).toEqual([]);
  await admin.press("button", "Sign out everywhere");
  await admin.waitForText("Ada was signed out everywhere.");
  await expect(user.client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });

  await admin.open("/admin");
  await admin.waitForText("Signed out an account");

  // A year of figures, as they look on a server that many use.
  await server.stop();
  const store = openSqlite({ folder: server.dataDir });
  await seedInstance(store, { accounts: 120, days: 365, rows: 150, now: Date.now() });
  await store.close();
  await server.start();
  await admin.open("/admin/product_feedback");
  await admin.type("Part of the article's address", "article-12");
  await admin.waitForText("/help/topic/article-129");
  expect(await admin.checkScreen("admin-help-ratings")).toEqual([]);
  await admin.open("/admin/user");
  await admin.type("Email (optional)", "grace@example.org");
  await admin.press("button", "Create invitation");
  await admin.waitForText("Not used yet · created");
  expect(await admin.checkScreen("admin-invitations")).toEqual([]);
  await admin.open("/admin/stats");
  await admin.waitForText("Citations verified");
  await admin.waitForText("Log loss, default weights");
  expect(await admin.checkScreen("admin-stats")).toEqual([]);
  await admin.press("link", "Models and cost");
  await admin.waitForText("Calls by model");
  await admin.waitForText("model-small");
  expect(await admin.checkScreen("admin-model-use")).toEqual([]);
  await admin.press("link", "Thumbs");
  await admin.waitForText("Thumbs by week");
  expect(await admin.checkScreen("admin-ratings")).toEqual([]);
  await admin.press("button", "Show more: Thumbs, the newest first");
  await admin.waitForText("Not shared");

  await admin.press("link", "Posts");
  await admin.waitForText("Why a schedule beats a marathon");
  expect(await admin.checkScreen("admin-posts")).toEqual([]);
  await admin.press("link", "New post");
  await admin.type("Title", "Learning in the train");
  await admin.type("Topic", "Planning");
  await admin.type("Text", "## Why\n\nBecause it is **there**.");
  expect(await admin.checkScreen("admin-post-editor")).toEqual([]);
  await admin.press("radio", "Preview");
  await admin.waitForText("Because it is there.");
  await admin.press("button", "Publish");
  await admin.waitForText("The post is on the blog.");
  await ada.open("/blog/learning-in-the-train");
  await ada.waitForText("Because it is there.");

  const lists = [
    ["/admin/recent_flashcards", "Cards that students shared"],
    ["/admin/conversation_history", "Log of prompts"],
    ["/admin/cancellation_reasons", "Reasons"],
    ["/admin/subscription_timing", "Still subscribed"],
    ["/admin/user_demographics", "Time zone"],
  ] as const;
  for (const [path, text] of lists) {
    await admin.open(path);
    await admin.waitForText(text);
    expect(await admin.checkScreen(path.slice(1).replace("/", "-"))).toEqual([]);
  }
  await admin.open("/admin/conversation_history");
  await admin.page.locator("th .admin-link").click();
  await admin.waitForText("Words that a student shared.");
  expect(await admin.checkScreen("admin-conversation")).toEqual([]);
  await Promise.all([admin.close(), ada.close()]);
});
