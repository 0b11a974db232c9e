// @vitest-environment happy-dom
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Answer } from "#extension/tutor/answer.tsx";
import { aMessage } from "#tests/kit/tutor.ts";

const sent: unknown[] = [];
let isRefused = false;
vi.mock("#extension/app/client.ts", () => ({
  client: {
    feedback: {
      async rate(input: unknown) {
        if (isRefused) throw new Error("offline");
        sent.push(input);
      },
    },
  },
}));

const text = "A codon has three nucleotides.";
const answer = aMessage({ _id: "01ANSWER", text, parts: [{ type: "text", text }], model: "lamplight-builtin" });

test("an answer in the side panel takes a thumb and a reason; its text is sent only if the student shares it", async () => {
  const { unmount } = render(<Answer message={answer} onShow={() => undefined} />);
  const user = userEvent.setup();
  const [up, down] = [
    screen.getByRole("button", { name: "Good answer" }),
    screen.getByRole("button", { name: "Bad answer" }),
  ];
  const thing = { kind: "answer", id: "01ANSWER", model: "lamplight-builtin" };
  await user.click(down);
  expect(sent).toEqual([{ ...thing, value: "down" }]);
  await user.type(await screen.findByLabelText("Reason"), "Too short");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText(/^Thank you\./u);
  expect(sent.at(-1)).toEqual({ ...thing, value: "down", reason: "Too short", text: "" });

  await user.click(up);
  await waitFor(() => expect(up.getAttribute("aria-pressed")).toBe("true"));
  await user.click(down);
  await user.click(await screen.findByLabelText("Share this text with the people who run this server"));
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ ...thing, value: "down", reason: "", text }));

  isRefused = true;
  await user.click(down);
  await screen.findByText("Your rating could not be sent. Please try again.");
  expect(down.getAttribute("aria-pressed")).toBe("true");
  unmount();
  render(<Answer message={{ ...answer, status: "writing" }} onShow={() => undefined} />);
  expect(screen.queryByRole("button", { name: "Good answer" })).toBeNull();
});
