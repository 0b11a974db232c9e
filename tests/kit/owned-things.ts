import { ulid } from "ulid";
import { aQuestion, ask } from "./tutor.ts";
import { aPicture } from "./files.ts";
import { runResearch } from "./research.ts";
import type { TestUser } from "./api.ts";
import { createPodcast } from "#tests/podcasts/made-podcast.ts";
import { anAnnotation, aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";

const TEXT = "Private: the ribosome reads messenger RNA one codon at a time. Each codon names one amino acid.";

/** One thing of each kind in an account, by kind: the id that a stranger may try. The words "Private" are in each. */
export async function ownOfEach(user: TestUser): Promise<Record<string, string>> {
  const { client } = user;
  const page = await aPage(user, "Private");
  const text = await aText(user, page, TEXT);
  const card = ulid();
  const deck = await aDeck(user, page, [aCard(card, "Private?")]);
  const { componentId: picture, fileId: file } = await aPicture(user, page);
  const folder = ulid();
  const annotation = ulid();
  await send(
    user,
    aChange("folder_create", folder, { title: "Private", color: "GREEN", createdAt: 1 }),
    aChange("annotation_put", annotation, { annotation: anAnnotation(annotation, picture, { note: "Private" }) }),
  );
  const question = aQuestion();
  await ask(client, question);
  const { session } = await runResearch(client);
  const podcast = await createPodcast(user, { title: "Private" });
  await client.podcasts.cancelPodcast({ id: podcast._id });
  const project = await client.website.createProject({ name: "Private" });
  const site = await client.website.makeSite({
    id: project._id,
    kind: "study_guide",
    title: "Private",
    sourceIds: [`deck:${deck}`],
  });
  const thread = await client.website.createWebsiteThread({ id: project._id });
  const { upload } = await client.uploads.startUpload({
    componentId: ulid(),
    family: "video",
    name: "Private.mp4",
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
