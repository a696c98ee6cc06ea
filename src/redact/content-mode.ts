// The content mode of a workspace: how much of the input and output of its models and tools is stored.

/** `full`: all content. `redacted`: content after redaction. `none`: no content. */
export const contentModes = ['none', 'redacted', 'full'] as const
export type ContentMode = (typeof contentModes)[number]
