import { ulid } from "ulid";
import { aQuestion, ask } from "./tutor.ts";
import { aPicture } from "./files.ts";
import { runResearch } from "./research.ts";
import type { TestUser } from "./api.ts";
import { createPodcast } from "#tests/podcasts/made-podcast.ts";
import { anAnnotation, aCard, aChange, aDeck, aPage, aText, send, textContent } from "#tests/store/changes.ts";

const TEXT = "the ribosome reads messenger RNA one codon at a time. Each codon names one amino acid.";

/** One thing of each kind in an account, by kind: the id that a stranger may try. Each contains the word. */
export async function ownOfEach(user: TestUser, word = "Private"): Promise<Record<string, string>> {
  const { client } = user;
  const page = await aPage(user, word);
  const text = await aText(user, page, `${word}: ${TEXT}`);
  const card = ulid();
  const deck = await aDeck(user, page, [aCard(card, `${word}?`)]);
  const { componentId: picture, fileId: file } = await aPicture(user, page);
  const folder = ulid();
  const annotation = ulid();
  const review = ulid();
  const answered = { grade: 3, reviewedAt: 1, durationMs: 900, mode: "study" } as const;
  await send(
    user,
    aChange(
      "component_content_update",
      text,
      { newContent: textContent(`${word}, again: ${TEXT}`) },
      { baseVersion: 1 },
    ),
    aChange("review_add", deck, { _id: review, componentId: deck, cardId: card, ...answered }),
    aChange("folder_create", folder, { title: word, color: "GREEN", createdAt: 1 }),
    aChange("annotation_put", annotation, { annotation: anAnnotation(annotation, picture, { note: word }) }),
  );
  const question = aQuestion();
  await ask(client, question);
  const { session } = await runResearch(client);
  const podcast = await createPodcast(user, { title: word });
  await client.podcasts.cancelPodcast({ id: podcast._id });
  const project = await client.website.createProject({ name: word });
  const site = await client.website.makeSite({
    id: project._id,
    kind: "study_guide",
    title: word,
    sourceIds: [`deck:${deck}`],
  });
  const thread = await client.website.createWebsiteThread({ id: project._id });
  const { upload } = await client.uploads.startUpload({
    componentId: ulid(),
    family: "video",
    name: `${word}.mp4`,
    type: "video/mp4",
    sizeBytes: 5_000_000,
  });
  const [signedIn] = (await client.auth.listSessions({})).sessions;
  return {
    page,
    text,
    deck,
    card,
    picture,
    file,
    folder,
    annotation,
    review,
    version: `${text}.1`,
    conversation: question.threadId,
    answer: question.answerId,
    research: session._id,
    podcast: podcast._id,
    project: project._id,
    checkpoint: site.checkpoints[0]?._id ?? "",
    "website thread": thread._id,
    upload: upload._id,
    session: signedIn?.id ?? "",
    account: user.userId,
  };
}

/** The content of an account as its owner sees it. */
export async function readOwned({ client }: TestUser, owned: Readonly<Record<string, string>>): Promise<string> {
  const { content } = await client.pages.getContent({});
  const page = await client.pages.getPage({ id: owned["page"] ?? "" });
  const threads = await client.tutor.getThread({ threadId: owned["conversation"] ?? "" });
  const project = await client.website.getProject({ id: owned["project"] ?? "" });
  const { conversation } = await client.research.getConversation({ id: owned["research"] ?? "" });
  const { sessions } = await client.auth.listSessions({});
  const { upload } = await client.uploads.getUpload({ id: owned["upload"] ?? "" });
  const devices = sessions.map(({ id }) => id);
  return JSON.stringify({ content, page, threads, project, conversation, devices, upload });
}
