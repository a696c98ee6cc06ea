// What a workspace lets be kept of what was said to and by its models and tools.

/** `full`: all of it. `redacted`: what redaction leaves of it. `none`: nothing of it. */
export const contentModes = ['none', 'redacted', 'full'] as const
export type ContentMode = (typeof contentModes)[number]
