// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { AdminPost, NewPost } from "#shared/admin/posts-contract.ts";
import { utcDay } from "#shared/user/days.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";

const DAY_MS = 86_400_000;
const today = utcDay(Date.now());
const nextWeek = utcDay(Date.now() + 7 * DAY_MS);

const head = { title: "On the blog", description: "", topicName: "Exams" };
const published: NewPost = {
  slug: "on-the-blog",
  topic: "exams",
  date: today,
  isPublished: true,
  summaries: { en: head },
  bodies: { en: "Text" },
};
const toSaved = (post: NewPost): AdminPost => ({
  ...post,
  _id: "post-1",
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  formerSlugs: ["before", "long-before"],
});

/** Opens the editor of a new post (no address) or of the published one; returns what it sends to be saved. */
async function openEditor(address = "") {
  const sent: NewPost[] = [];
  const save = (post: unknown) => {
    sent.push(post as NewPost);
    return { post: toSaved(post as NewPost) };
  };
  const user = { ...ada, isAdmin: true };
  await openApp(`/admin/blog/create${address}`, {
    signedIn: true,
    answers: {
      auth: { getUser: () => ({ user, organization: null, tempToken: "temp" }) },
      admin: {
        createPost: save,
        savePost: save,
        getPost: () => ({ post: toSaved(sent[0] ?? published) }),
      },
    },
  });
  await screen.findByLabelText("Day");
  return sent;
}

const setDay = (value: string) => fireEvent.change(screen.getByLabelText("Day"), { target: { value } });

test("a post with a day in the future is scheduled for it", async () => {
  const sent = await openEditor();
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Title"), "Before the exam");
  await user.type(screen.getByLabelText("Topic"), "Exams");
  expect(screen.getByRole("button", { name: "Publish" })).toBeTruthy();
  setDay(nextWeek);
  expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("The post will appear on its day.");
  expect(sent).toMatchObject([{ slug: "before-the-exam", topic: "exams", date: nextWeek, isPublished: true }]);
});

test("a published post that is moved to a later day is scheduled, not merely saved", async () => {
  const sent = await openEditor("?post=post-1");
  expect(screen.getByRole("button", { name: "Save changes" })).toBeTruthy();
  setDay(nextWeek);
  await userEvent.setup().click(screen.getByRole("button", { name: "Schedule" }));
  await screen.findByText("The post will appear on its day.");
  expect(sent).toMatchObject([{ slug: "on-the-blog", date: nextWeek, isPublished: true }]);
});

test("the editor shows from which addresses readers are redirected to the post", async () => {
  await openEditor("?post=post-1");
  expect(screen.getByText("Redirected from: /blog/before, /blog/long-before")).toBeTruthy();
});
