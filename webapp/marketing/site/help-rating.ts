async function send(path: string, isHelpful: boolean): Promise<boolean> {
  try {
    const answer = await fetch("/v1/feedback/help", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path, isHelpful }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Shows the form and sends one answer. The answer is anonymous. */
function start(form: HTMLFormElement): void {
  const { path = "", thanks = "", failed = "" } = form.dataset;
  const answers = form.querySelector<HTMLElement>('[role="group"]');
  const status = form.querySelector('[role="status"]');
  form.hidden = false;
  const answer = async (isHelpful: boolean) => {
    if (!answers || !status) return;
    answers.hidden = true;
    const isCounted = await send(path, isHelpful);
    answers.hidden = isCounted;
    status.textContent = isCounted ? thanks : failed;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement) void answer(submitter.value === "yes");
  });
}

const form = document.getElementById("help-rating");
if (form instanceof HTMLFormElement) start(form);
