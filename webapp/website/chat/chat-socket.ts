import { t } from "#shared/messages/translate.ts";
import type { ConnectionFault, SocketPort } from "#shared/website/chat-connection.ts";
import type { ServerEvent } from "#shared/website/schema.ts";

export function openSocket(protocols: string[], query: string): SocketPort {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/v1/website/ws?${query}`, protocols);
  const port: SocketPort = {
    onMessage: null,
    onClose: null,
    send: (text) => socket.send(text),
    close: (code) => socket.close(code),
  };
  socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => port.onMessage?.({ data }));
  socket.addEventListener("close", ({ code }) => port.onClose?.({ code }));
  return port;
}

/** Events after which the preview may have changed. The last three are legacy names; servers still send `sandbox-created`. */
const PREVIEW_EVENTS: ReadonlySet<ServerEvent["type"]> = new Set([
  "dev_server_update",
  "dev_url_update",
  "dev-url-update",
  "dev-url-updated",
  "sandbox-created",
] as const);

export const mayChangePreview = ({ type }: ServerEvent): boolean => PREVIEW_EVENTS.has(type);

/** The message for a connection that ended; null without a fault. */
export function describeFault(fault: ConnectionFault | null): string | null {
  switch (fault) {
    case "signed_out":
      return t("website.auth_failed");
    case "not_found":
      return t("website.not_found");
    case "lost":
      return t("website.connection_lost");
    case null:
      return null;
    default:
      return fault satisfies never;
  }
}
