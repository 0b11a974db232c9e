export const reasonsTutor = {
  no_conversation: "There is no such conversation.",
  no_answer: "There is no such answer.",
  answers_underway: "Several answers are being written already. Please wait for one of them.",
  no_model: "There is no such model.",
  no_ai_model: "There is no such AI model. Choose another one.",
  model_gone: "The AI model that was chosen is gone.",
  model_silent: "The AI model gave no answer. Please try again.",
  model_unreachable: "The AI model could not be reached. Please try again in a moment.",
  model_stopped: "The AI model stopped answering. Please try again.",
  model_refused:
    "The AI model refused the request. Choose another model, or ask whoever runs this server to check its settings.",
  model_busy: "The AI model is busy right now. Please try again in a few minutes.",
  model_other_language:
    "The AI model did not write in the language that was asked for. Choose another model, or leave the language out.",
  engine_too_much: "This source is too much for the built-in engine. Please try with fewer or smaller files.",
  ai_budget_spent:
    "This server has used up what it may spend on AI models today. The built-in engine still works, and the allowance returns at midnight UTC.",
  exam_in_past: "An exam lies in the future.",
  exam_without_minutes: "An exam needs minutes to prepare for it.",
} as const;
