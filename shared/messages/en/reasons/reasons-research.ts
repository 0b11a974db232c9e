export const reasonsResearch = {
  no_research: "This research session does not exist or was deleted.",
  no_research_section: "This section is not written yet, so it cannot be changed.",
  research_limit: "You've reached your daily research limit. Please upgrade to continue.",
  research_running: "This session is already researching a question. Wait until it is done, or stop it.",
  too_many_research_runs: "Two research sessions are already running. Wait until one of them is done, or stop one.",
  research_failed: "An error occurred while processing your request.",
  research_stopped: "The research was stopped. What it found so far is saved.",
  research_question_missing: "There is no question to research. Type one and try again.",
  research_text_too_long:
    "Together with the version of another tab or device, this text is too long to save. Shorten it and try again.",
} as const;
