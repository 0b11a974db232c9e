import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { aChange, aPage, aText, send, textComponent, textContent } from "#tests/store/changes.ts";

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

test("the whole section about a question is read, also where it uses other words", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Glaciers");
  const addHeading = (text: string) => {
    const id = ulid();
    const { component, parentId } = textComponent(id, pageId);
    const content = { ...textContent(text), subType: "heading_2" as const };
    return send(ada, aChange("component_create", id, { component: { ...component, content }, parentId }));
  };
  await addHeading("How a glacier moves");
  const steps = [
    "A glacier moves downhill under its own weight, a few centimetres a day.",
    "Water between the ice and the rock works like oil on a hinge.",
    "Crystals deep inside slide over one another and bend without breaking.",
  ];
  for (const step of steps) await aText(ada, pageId, step);
  await addHeading("References");
  await aText(ada, pageId, "Glaciers and the Ways They Move. The Move of Glaciers in Spring.");
  const { session } = await runResearch(ada.client, { userMessage: "How does a glacier move?" });
  const own = session.sections.find(({ topic }) => topic === null);
  expect(own?.paragraphs.flat().map(({ text }) => text)).toEqual(steps);
});
