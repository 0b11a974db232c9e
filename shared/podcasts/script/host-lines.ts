/** What the host says. None of it claims anything about the subject: that is left to the sources. */

/** They fit before any sentence: none says that the next one is the main point, comes next, or belongs to the last. */
export const PROMPTS: readonly string[] = [
  "Go on.",
  "What else does your source say?",
  "Carry on.",
  "Tell us more.",
  "What else is there?",
  "Keep going.",
  "What does your source add?",
  "More, please.",
  "And what else?",
  "What more does it say?",
  "Next, please.",
];

/** They name the heading of what follows, and say nothing about it. */
export const TOPIC_LINKS: readonly string[] = ["Next: {{topic}}", "Now: {{topic}}", "On to: {{topic}}"];

/** Where a heading has no question, its first sentence is recalled. */
export const REMEMBER_LEADS: readonly string[] = [
  "What do you remember about this: {{topic}}",
  "Say one thing about this: {{topic}}",
  "One more thing about this: {{topic}}",
];

export const BREAKS: readonly string[] = [
  "Try it before you hear it.",
  "Say it aloud before the answer comes.",
  "You have a moment to answer.",
  "Answer first, then listen.",
  "Take a moment. What would you say?",
  "Your turn first.",
  "Think, then check.",
  "Pause in your head and answer.",
];

/** Most questions need no lead. */
export const QUESTION_LEADS: readonly string[] = [
  "",
  "Here is a question.",
  "",
  "",
  "Let me ask you this.",
  "",
  "",
  "A quick question.",
  "",
  "",
  "Now a question for everyone.",
  "",
  "",
  "I would like to know:",
  "",
  "",
  "Back to a question.",
  "",
];

export const FINISH_LEADS: readonly string[] = [
  "Finish this sentence:",
  "How does this sentence end:",
  "Complete this one:",
  "Fill in the end:",
];

export const RECAP_LEADS: readonly string[] = [
  "Before we stop, answer each of these before you hear it again.",
  "To finish, put each of these into your own words first.",
  "Last, a short recap. Answer before the sentence comes again.",
];

/** They begin the last line, which then lists the chapters. */
export const CLOSINGS: readonly string[] = [
  "That was {{topic}}",
  "We have reached the end of {{topic}}",
  "This brings us to the end of {{topic}}",
];

/** The one at a position, again from the first after the last. */
export const pick = (lines: readonly string[], position: number): string => lines[position % lines.length] ?? "";

/** A line with a heading at its end. */
export const nameTopic = (line: string, topic: string): string =>
  line.replace("{{topic}}", () => `${topic}${/[.!?]$/u.test(topic) ? "" : "."}`);
