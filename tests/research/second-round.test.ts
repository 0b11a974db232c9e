import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { aPage, aText } from "#tests/store/changes.ts";

test("a question that no sentence answers is searched once more, with words of the closest passages", async () => {
  const servers = await startSearchServers({
    web: {
      "/velmar.html": {
        title: "Velmar tides",
        text: "The harbour museum shows the Velmar tides. Visitors of the harbour come for the Velmar tides.",
      },
    },
  });
  const api = await startApi({ env: servers.env });
  const ada = await api.newUser();
  const { session } = await runResearch(ada.client, {
    userMessage: "When did the Velmar tides begin?",
    lookIn: ["library", "web"],
    depthState: "standard",
  });
  const own = session.sections.find(({ topic }) => topic === null);
  expect(own?.status).toBe("not_found");
  const queries = session.tool_instances.flatMap(({ name, task_id, args }) =>
    name === "search" && task_id === own?.id ? [args.query ?? ""] : [],
  );
  expect(queries).toHaveLength(2);
  expect(queries[0]).not.toContain("harbour");
  expect(queries[1]).toContain("harbour");
});

test("the sentence shown as the closest to a question has its words, also if it depends on the one before it", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const text = [
    "Moulds live in the ground of every forest.",
    "A mycosis is a disease of animals and people.",
    "In addition, people who breathe spores develop allergic reactions.",
  ].join(" ");
  await aText(ada, await aPage(ada, "Moulds"), text);
  const { session } = await runResearch(ada.client, { userMessage: "What happens in an allergic reaction?" });
  const [section] = session.sections;
  expect(section?.paragraphs.flat().map((sentence) => sentence.text)).toEqual([
    "A mycosis is a disease of animals and people.",
    "In addition, people who breathe spores develop allergic reactions.",
  ]);
});
