import { z } from 'zod'

/** What pressing a button does. */
export const ButtonKind = z.enum(['reply', 'url', 'call', 'location', 'calendar', 'copy'])
export type ButtonKind = z.infer<typeof ButtonKind>

export const TextFormat = z.enum(['bold', 'italic', 'strikethrough', 'monospace'])
export type TextFormat = z.infer<typeof TextFormat>

/** What a message consists of, in terms that are the same for every channel. Computed from a template's content. */
export const MessageTraits = z.object({
  /** A title above the text; empty for none. */
  heading: z.string(),
  /** The text, its variables as `{{name}}`; a variable without a name has a number. */
  text: z.string(),
  /** The names of the variables, in order of appearance, without duplicates. */
  variables: z.array(z.string()),
  /** Those of them that hold a web address. */
  linkVariables: z.array(z.string()),
  /** Media outside cards. */
  images: z.number(),
  videos: z.number(),
  documents: z.number(),
  locations: z.number(),
  /** Cards of a carousel. Their media and buttons are not counted. */
  cards: z.number(),
  /** The target is a web address or a phone number, else empty. */
  buttons: z.array(z.object({ kind: ButtonKind, text: z.string(), target: z.string() })),
  formats: z.array(TextFormat),
  footer: z.string(),
  /** Billed parts; 1 on channels that do not divide messages. */
  parts: z.number(),
  /** The text needs an encoding with fewer characters per part. */
  isUnicode: z.boolean(),
})
export type MessageTraits = z.infer<typeof MessageTraits>
