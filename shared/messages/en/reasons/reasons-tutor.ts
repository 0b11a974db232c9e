export const reasonsTutor = {
  no_conversation: "This conversation does not exist or was deleted.",
  no_answer: "This answer does not exist.",
  too_many_answers: "Several answers are already being written. Wait until one of them is done.",
  no_model: "This model does not exist. Choose another one.",
  no_ai_model: "This AI model does not exist. Choose another one.",
  model_gone: "The chosen AI model is no longer available. Choose another one.",
  model_silent: "The AI model gave no answer. Please try again.",
  model_unreachable: "The AI model could not be reached. Please try again in a moment.",
  model_stopped: "The AI model stopped answering. Please try again.",
  model_refused:
    "The AI model refused the request. Choose another model, or ask the administrator to check its settings.",
  model_busy: "The AI model is busy right now. Please try again in a few minutes.",
  model_other_language:
    "The AI model did not write in the requested language. Choose another model, or leave the language out.",
  source_too_large_for_engine:
    "This source is too large for the built-in engine. Please try with fewer or smaller files.",
  ai_budget_spent:
    "This server has used up its AI budget for today. The built-in engine still works. The budget resets at midnight UTC.",
  exam_in_past: "The date of an exam must be in the future.",
  exam_without_minutes: "An exam needs a number of minutes a day to prepare for it.",
} as const;
