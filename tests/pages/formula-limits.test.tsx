// @vitest-environment happy-dom
import { cleanup, render, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Maths } from "#shared/ui/content/maths.tsx";
import { Words } from "#shared/website/kit/cite.tsx";
import { Formula } from "#extension/ui/formula.tsx";

// KaTeX requires a page in standards mode, which the test environment does not report.
vi.hoisted(() => Object.defineProperty(document, "compatMode", { value: "CSS1Compat" }));

const renderers: Readonly<Record<string, (latex: string) => ReactElement>> = {
  "a page or card of the web app": (latex) => <Maths latex={latex} />,
  "the side panel of the extension": (latex) => <Formula tex={latex} isBlock={false} />,
  "a built website": (latex) => <Words text={`$${latex}$`} />,
};

afterEach(cleanup);

describe.each(Object.entries(renderers))("in %s", (_, rendererOf) => {
  const show = (latex: string) => render(rendererOf(latex)).container;

  test("a formula within the limits is rendered", async () => {
    const container = show(String.raw`\def\a{x}${String.raw`\a `.repeat(900)}`);
    await waitFor(() => expect(container.querySelector("math")).not.toBeNull());
  });

  test.each([
    ["has too many characters", `x_1${"+x".repeat(5000)}`],
    ["expands too far", String.raw`\def\a{x}${String.raw`\a `.repeat(1100)}`],
    ["is nested too deeply", `x_${"{".repeat(9000)}`],
  ])("a formula that %s is shown as its source", async (__, latex) => {
    // A later formula that is rendered shows that KaTeX has loaded and processed the earlier one.
    const container = show(latex);
    const later = show("x_1");
    await waitFor(() => expect(later.querySelector("math")).not.toBeNull());
    expect(container.querySelector("math")).toBeNull();
    expect(container.textContent).toContain(latex);
  });

  test("a length in a formula is limited", async () => {
    const container = show(String.raw`\rule{900em}{1em}`);
    await waitFor(() => expect(container.innerHTML).toContain("40em"));
    expect(container.querySelector("mspace")?.getAttribute("width")).toBe("40em");
  });
});
