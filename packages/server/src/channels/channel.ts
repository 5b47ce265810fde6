import type { OutboundMessage } from './provider.ts'

/** What a channel adds to the engine's part of a message; its own providers know what else stands in it. */
export type Rendered = Pick<OutboundMessage, 'parts'>

/** A single send as it waits in its queue. */
export type QueuedSingle = { header: string; text: string; details: Record<string, unknown> }

/** What the engine asks of a channel: messages made of what campaigns and single sends hold. */
export type ServerChannel = {
  /**
   * Reads what a campaign's leg has frozen, once; what comes back makes the message of one row, or nothing where a variable
   * has no value. Throws when the content is not of this channel.
   */
  compileLeg(content: unknown): (cells: readonly string[]) => Rendered | undefined
  compileSingle(single: QueuedSingle): Rendered
}
