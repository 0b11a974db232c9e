import { once } from "node:events";
import { ulid } from "ulid";
import { WebSocket } from "ws";
import type { PlanType } from "#shared/user/schema.ts";
import type { ServerEvent } from "#shared/website/schema.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aCourse } from "./aids.ts";

export interface Talk {
  socket: WebSocket;
  events: ServerEvent[];
  /** Resolves to the first event of this kind from now on. */
  next: <T extends ServerEvent["type"]>(type: T) => Promise<Extract<ServerEvent, { type: T }>>;
  closed: Promise<number>;
  say: (message: string, messageId?: string) => void;
}

interface Opening {
  projectId: string;
  threadId: string;
  headers?: Record<string, string>;
}

export function connect(
  { origin }: Pick<TestApi, "origin">,
  token: string | undefined,
  { projectId, threadId, headers = {} }: Opening,
): Talk {
  const protocols = token === undefined ? ["lamplight.v1"] : ["lamplight.v1", `bearer.${token}`];
  const query = new URLSearchParams({ projectId, threadId }).toString();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/v1/website/ws?${query}`, protocols, { headers });
  const events: ServerEvent[] = [];
  const waiting: { type: string; resolve: (event: never) => void }[] = [];
  socket.on("message", (data: Buffer) => {
    const event = JSON.parse(data.toString()) as ServerEvent;
    events.push(event);
    for (const one of waiting.splice(0))
      if (one.type === event.type) one.resolve(event as never);
      else waiting.push(one);
  });
  return {
    socket,
    events,
    next: (type) => new Promise((resolve) => waiting.push({ type, resolve })),
    closed: once(socket, "close").then(([code]) => code as number),
    say: (message, messageId = ulid()) =>
      socket.send(JSON.stringify({ type: "user_message", projectId, threadId, message, messageId })),
  };
}

export async function aProject(on: TestApi, user: TestUser) {
  const { _id: projectId } = await user.client.website.createProject({ name: "Genes" });
  const { _id: threadId } = await user.client.website.createWebsiteThread({ id: projectId });
  return { projectId, threadId, on };
}

export const textOf = (talk: Talk) =>
  talk.events.flatMap((event) => (event.type === "assistant_message_chunk" ? event.chunk : [])).join("");

export const toolsOf = (talk: Talk) =>
  talk.events.flatMap((event) => (event.type === "tool_invocation_result" ? event.metadata : []));

/** A model that writes the scripted answers, one for each turn. */
export async function withModel(
  script: string[],
  { plan, ...play }: Parameters<typeof startModelServer>[0] & { plan?: PlanType } = {},
) {
  const server = await startModelServer({ say: () => script.shift() ?? "Done.", ...play });
  const other = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" } });
  const ada = await other.newUser(plan && { plan });
  const { page, deck } = await aCourse(ada);
  const where = await aProject(other, ada);
  await ada.client.website.makeSite({ id: where.projectId, kind: "practice", title: "Genes", sourceIds: [page, deck] });
  const talk = connect(other, ada.token, where);
  await talk.next("connection-established");
  const ask = async (message: string) => {
    const complete = talk.next("message_processing_complete");
    talk.say(message);
    return complete;
  };
  const finish = async () => {
    talk.socket.close();
    await server.close();
  };
  return { api: other, ada, talk, ask, finish, server, page, ...where };
}
