import { expect, test } from "vitest";
import { formatCanvas } from "#shared/research/canvas.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { startResearchWeb } from "#tests/kit/research-web/web.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const MOON = "The gravity of the Moon causes the tides of the sea.";

test("sources of the library do not count towards the limit of sources, so services are still searched", async () => {
  const servers = await startSearchServers({ wikipedia: [{ title: "Tide", text: MOON }] });
  const api = await startApi({ env: servers.env });
  const ada = await api.newUser();
  for (let n = 1; n <= 8; n += 1)
    await aText(ada, await aPage(ada, `Lesson ${n}`), `In lesson ${n} we drew a chart of the tides of the sea.`);
  const { session } = await runResearch(ada.client, {
    userMessage: "What causes the tides of the sea?",
    lookIn: ["library", "wikipedia"],
  });
  expect(session.sources.filter(({ via }) => via === "library")).toHaveLength(8);
  expect(session.canvas).toContain(MOON);
  expect(session.run.pagesRead).toBe(1);
});

test("each question gets its share of the sources, and skipped searches are shown as skipped, not as empty", async () => {
  const web = await startResearchWeb();
  const api = await startApi({ env: web.env });
  const ada = await api.newUser();
  const { session } = await runResearch(ada.client, {
    userMessage: "Why does the Lumen alga glow? Why does the Orun glacier move? Why does the Bantry engine turn?",
    lookIn: ["library", "web"],
  });
  const own = session.sections.filter(({ topic }) => topic === null);
  expect(own.map(({ status }) => status)).toEqual(["written", "written", "written"]);
  const opened = own.map(
    ({ id }) => session.tool_instances.filter((tool) => tool.task_id === id && tool.name === "open").length,
  );
  expect(opened).toEqual([2, 2, 2]);
  const [notAsked] = session.tool_instances.filter((tool) => tool.notAsked !== undefined);
  expect(notAsked).toMatchObject({ notAsked: "sources", status: "done", problem: null });
  const unasked = session.sections.find(({ id, status }) => id === notAsked?.task_id && status === "not_found");
  expect(unasked).toMatchObject({ notAsked: "sources" });
  expect(formatCanvas(unasked ? [{ ...unasked, topic: null }] : [], "en")).toContain(
    "Not looked up outside the library",
  );
});
