// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Alerts, type Alert } from "#shared/ui/overlays/alerts.tsx";
import { Button } from "#shared/ui/controls/button.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { quoteContext } from "#shared/ui/quote-context.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";

afterEach(cleanup);

function Shown({ first }: { first: Alert }) {
  const [alerts, setAlerts] = useState<readonly Alert[]>([first]);
  const [dismiss] = useState(() => (id: string) => setAlerts((before) => before.filter((alert) => alert.id !== id)));
  return <Alerts alerts={alerts} onDismiss={dismiss} dismissLabel="Dismiss" label="Notifications" />;
}

function wait(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

describe("notices", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test("alerts disappear after 2.5 seconds", () => {
    render(<Shown first={{ id: "1", type: "success", message: "Page deleted" }} />);
    wait(2499);
    expect(screen.getByRole("status").textContent).toContain("Page deleted");
    wait(1);
    expect(screen.queryByRole("status")).toBeNull();
  });

  test("an alert stays while the pointer is over it", () => {
    render(<Shown first={{ id: "1", type: "error", message: "Failed to update settings" }} />);
    fireEvent.pointerEnter(screen.getByRole("alert"));
    wait(10_000);
    fireEvent.pointerLeave(screen.getByRole("alert"));
    wait(2499);
    expect(screen.getByRole("alert")).toBeDefined();
    wait(1);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("the action of an alert runs once and closes it", () => {
    const run = vi.fn();
    render(<Shown first={{ id: "1", type: "success", message: "Page deleted", action: { label: "Undo", run } }} />);
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    expect(run).toHaveBeenCalledOnce();
    expect(screen.queryByRole("status")).toBeNull();
  });

  test("a citation's tooltip opens after 400 ms, and at once by keyboard", () => {
    render(<CiteBadge place="p. 3" label="Lecture 9.pdf, page 3" quote="names one amino acid" />);
    const badge = screen.getByRole("button", { name: /Lecture 9.pdf, page 3$/ });
    fireEvent.pointerMove(badge, { pointerType: "mouse" });
    wait(399);
    expect(screen.queryByRole("tooltip")).toBeNull();
    wait(1);
    expect(screen.getByRole("tooltip").textContent).toBe("names one amino acid");
  });
});

test("buttons ignore clicks while disabled or pending", () => {
  const press = vi.fn();
  const { rerender } = render(
    <Button pending onClick={press}>
      Save
    </Button>,
  );
  fireEvent.click(screen.getByRole("button"));
  rerender(
    <Button disabled onClick={press}>
      Save
    </Button>,
  );
  fireEvent.click(screen.getByRole("button"));
  expect(press).not.toHaveBeenCalled();
});

test("a field is named by its label and described by its error instead of its hint", () => {
  const { rerender } = render(<TextField label="Name" hint="As others see it" />);
  expect(screen.getByRole("textbox", { name: "Name", description: "As others see it" })).toBeDefined();
  rerender(<TextField label="Name" hint="As others see it" error="Enter your name." />);
  const field = screen.getByRole("textbox", { name: "Name", description: "Enter your name." });
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

test("a dialog is labelled by its title and closes by its button, Escape or a click outside", () => {
  const close = vi.fn();
  render(
    <Dialog open title="Unsaved changes" onClose={close} closeLabel="Close">
      <p>Kept here.</p>
    </Dialog>,
  );
  const dialog = screen.getByRole("dialog", { name: "Unsaved changes" });
  fireEvent.click(screen.getByText("Kept here."));
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent(dialog, new Event("cancel", { cancelable: true }));
  fireEvent.click(dialog);
  expect(close).toHaveBeenCalledTimes(3);
});

const isInert = () => document.documentElement.hasAttribute("data-veiled");
/** The label of the field on which a dialog with two fields opens; the second one may be chosen for it. */
function openedOn(isSecondChosen: boolean): string | null | undefined {
  const { unmount } = render(
    <Dialog open title="Rename" onClose={vi.fn()} closeLabel="Close">
      <TextField label="Name" />
      <TextField label="Note" {...(isSecondChosen && { ref: focusInDialog })} />
    </Dialog>,
  );
  const label = document.querySelector<HTMLInputElement>("[autofocus]")?.labels?.[0]?.textContent;
  unmount();
  return label;
}

test("a dialog that begins with a text field opens on it, unless the pointer is a finger or another element is chosen", () => {
  expect(openedOn(false)).toBe("Name");
  expect(openedOn(true)).toBe("Note");
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(pointer: coarse)" }));
  expect(openedOn(false)).toBeUndefined();
  vi.unstubAllGlobals();
});

const twoDialogs = (first: boolean, second: boolean) => (
  <>
    <Dialog open={first} title="First" onClose={vi.fn()} closeLabel="Close">
      <p>One</p>
    </Dialog>
    <Dialog open={second} title="Second" onClose={vi.fn()} closeLabel="Close">
      <p>Two</p>
    </Dialog>
  </>
);

test("the page beneath stays inert while any dialog is open, and recovers when an open one unmounts", () => {
  const { rerender, unmount } = render(twoDialogs(true, true));
  expect(isInert()).toBe(true);
  rerender(twoDialogs(false, true));
  expect(isInert()).toBe(true);
  rerender(twoDialogs(false, false));
  expect(isInert()).toBe(false);
  rerender(twoDialogs(true, false));
  unmount();
  expect(isInert()).toBe(false);
});

const noticeOverDialog = (isOpen: boolean) => (
  <>
    <Alerts
      alerts={[{ id: "1", type: "success", message: "Link copied" }]}
      onDismiss={vi.fn()}
      dismissLabel="Dismiss"
      label="Notifications"
    />
    {twoDialogs(isOpen, false)}
  </>
);
const isInDialog = () => screen.getByText("Link copied").closest("dialog") !== null;

test("notices are inside an open dialog, because elsewhere they would be inert and behind its backdrop", () => {
  const { rerender } = render(noticeOverDialog(true));
  expect(isInDialog()).toBe(true);
  rerender(noticeOverDialog(false));
  expect(isInDialog()).toBe(false);
  rerender(noticeOverDialog(true));
  expect(isInDialog()).toBe(true);
});

test("radio choices can be selected by keyboard", async () => {
  const choose = vi.fn();
  const options = [
    { value: "light", label: "Light" },
    { value: "dark", label: "Dark" },
  ] as const;
  render(<Segmented label="Theme" value="light" options={options} onValue={choose} />);
  expect(screen.getByRole("group", { name: "Theme" })).toBeDefined();
  await userEvent.setup().click(screen.getByRole("radio", { name: "Dark" }));
  expect(choose).toHaveBeenCalledWith("dark");
});

test("a menu opens by keyboard and runs the chosen item", async () => {
  const remove = vi.fn();
  render(<Menu trigger={<Button>More</Button>} groups={[[{ label: "Delete", danger: true, onSelect: remove }]]} />);
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("menuitem", { name: "Delete" })).toBeDefined();
  await user.keyboard("{Enter}");
  expect(remove).toHaveBeenCalledOnce();
});

test("a citation shows its quote with surrounding text, cut between words", () => {
  const passage = `${"one two ".repeat(40)}The quoted words stand here.${" three four".repeat(40)}`;
  const { before, after } = quoteContext(passage, "The quoted words stand here.");
  expect(before).toMatch(/^… (one|two) /);
  expect(after).toMatch(/ (three|four) …$/);
  expect(`${before}${after}`.length).toBeLessThan(340);
  expect(quoteContext("Short. Quoted here. End.", "Quoted here.")).toEqual({ before: "Short. ", after: " End." });
  expect(quoteContext("Something else", "Quoted here.")).toEqual({ before: "", after: "" });
});
