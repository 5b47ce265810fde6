/** The media that a channel accepts for a use. */
export type MediaRules = {
  /** By MIME type; `what` as texts name it: 'An image'. */
  accepts: Record<string, { what: string; maximumBytes: number }>
  /** The error for anything else. */
  refusal: string
}
