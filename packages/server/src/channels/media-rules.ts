/** The media that a channel accepts for one purpose. */
export type MediaRules = {
  /** By MIME type; `what` is the noun in texts: 'An image'. */
  accepts: Record<string, { what: string; maximumBytes: number }>
  /** The error for other types. */
  refusal: string
}
