import type { MessageTraits } from '@carillon/contract/message-traits'
import type { ApiRead } from '../lib/api-read.ts'
import type { StatusLook } from './parts/templates/status-pill.tsx'
import type { PhoneMessage } from './phone/phone-message.ts'

/** An account, and what its messages show as their sender. */
export type RenditionSender = { id: string; label: string; shownAs: string }

/** A template, or a draft that is not saved yet, as part of a template family. */
export type RenditionContent = {
  name: string
  look: StatusLook
  /** A draft whose text can be replaced; a carousel has no single text. */
  isDraft: boolean
  traits: MessageTraits
  /** On the recipient's phone. Some channels need the senders to show the name. */
  messageOf: (senders: readonly RenditionSender[]) => PhoneMessage
  /** Whether its text is this shared text. */
  says: (text: string) => boolean
  /** The same with this shared text; everything else is kept. */
  withText: (text: string) => RenditionContent
}

type TextToSave = {
  text: string
  /** The draft whose text is replaced, or what a new draft is made of. */
  into: { templateId: string } | { name: string; senderId: string }
  /** Idempotency key. */
  key: string
}

/** How a channel's templates take part in template families. */
export type ChannelRenditions = {
  lookOf: (status: string) => StatusLook
  /** The same read for the same template. */
  read: (templateId: string) => ApiRead<RenditionContent>
  /** The senders that a new draft can be written for; usable ones first. */
  senders: ApiRead<readonly RenditionSender[]>
  /** Shown if there are none: why, and the screen that connects an account. */
  noSender: { text: string; to: string; action: string }
  /** A new draft with this shared text. */
  begin: (text: string, sender: RenditionSender) => RenditionContent
  /** Saves the shared text as a draft; returns the template's id. */
  save: (saved: TextToSave) => Promise<string>
}
