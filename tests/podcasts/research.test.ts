import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { researchWording } from "#shared/research/wording.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { createPodcast, TEST_LIMIT_MS, waitUntilMade } from "./made-podcast.ts";

const RIBOSOME = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains 55 proteins.",
];

test(
  "an episode is made from a research session: each line names the stored source whose words support it",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const api = await startApi();
    const [ann, bob] = [await api.newUser(), await api.newUser()];
    const pageId = await aPage(ann, "Protein synthesis");
    for (const text of RIBOSOME) await aText(ann, pageId, text);
    const { session } = await runResearch(ann.client, { userMessage: "How does the ribosome make proteins?" });
    const sources = [{ type: "research" as const, id: session._id }];
    await expect(createPodcast(bob, { sources })).rejects.toMatchObject({ code: "not_found" });

    const { _id: id } = await createPodcast(ann, { title: "", sources });
    const made = await waitUntilMade(ann, id);
    expect(made).toMatchObject({
      status: "completed",
      title: session.conversation_title,
      notices: ["shorter_than_requested"],
    });
    const { lines, chapters } = await ann.client.podcasts.getTranscript({ id });
    const named = [
      ...chapters.map(({ title }) => title),
      ...lines.flatMap((line) => (line.speaker === "host" ? line.text : [])),
    ];
    for (const heading of Object.values(researchWording.en.headings)) expect(named.join(" ")).not.toContain(heading);
    const spoken = lines.filter(({ speaker }) => speaker === "guest");
    expect(spoken.length).toBeGreaterThanOrEqual(3);
    for (const { text, citation, snapshot } of spoken) {
      expect(RIBOSOME).toContain(text);
      expect(parseCitation(citation ?? "")).toMatchObject({ type: "page_citation", pageId });
      const { passages } = await ann.client.research.readSnapshot({ id: session._id, n: snapshot?.n ?? 0 });
      expect(passages.some((passage) => passage.text.includes(snapshot?.quote ?? "?"))).toBe(true);
    }

    await ann.client.research.changeConversation({ id: session._id, is_archived: true });
    await expect(createPodcast(ann, { sources })).rejects.toMatchObject({ code: "not_found" });
  },
);
