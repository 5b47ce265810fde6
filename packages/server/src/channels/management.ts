import type { WhatsappAnalytics, WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappCategory, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'

/**
 * What a provider's account holds besides messages: lines, templates, media, a profile. Every call may throw a `Refusal`;
 * nothing else is thrown on purpose.
 */
export type Management = {
  /** Whether the credentials open this account, and with which of the permissions that are needed. */
  checkAccess(): Promise<{ missing: string[]; expiresAt: Date | null }>
  describeAccount(): Promise<{ name: string; currency: string; facts: Record<string, string> }>
  listLines(): Promise<LineFacts[]>
  /** Has the account's callbacks sent to us; the provider proves the address at once. */
  subscribe(callback: { url: string; verifyToken: string }): Promise<void>
  unsubscribe(): Promise<void>
  /** Makes a line ready to send, under a PIN of six digits. */
  registerLine(lineId: string, pin: string): Promise<void>
  /** Sends a read receipt and, with `isTyping`, a typing indicator. */
  markRead(lineId: string, message: { id: string; isTyping: boolean }): Promise<void>

  listTemplates(page: {
    after?: string | undefined
  }): Promise<{ templates: TemplateFacts[]; after: string | undefined }>
  createTemplate(template: TemplateDraft): Promise<Pick<TemplateFacts, 'id' | 'status' | 'category'>>
  /** What may be changed of one that exists: its content; its category unless it was approved. */
  editTemplate(id: string, template: TemplateDraft): Promise<void>
  /** In every language. */
  deleteTemplate(name: string): Promise<void>

  /** The sample of a template's header, or a profile picture: its handle. */
  uploadSample(file: ManagedFile): Promise<string>
  /** Media of a message: its id, and its expiry. */
  uploadMedia(lineId: string, file: ManagedFile): Promise<{ id: string; expiresAt: Date }>
  /** What a person sent to a line. */
  downloadMedia(lineId: string, mediaId: string): Promise<{ mimeType: string; bytes: Buffer }>

  getProfile(lineId: string): Promise<WhatsappProfile>
  saveProfile(lineId: string, profile: WhatsappProfile & { pictureHandle?: string | undefined }): Promise<void>
  analyse(range: { from: string; to: string; lineNumber?: string | undefined }): Promise<WhatsappAnalytics>
}

/** The provider's own sign-up, in which a customer chooses what to connect. Refuses as `Management` does. */
export type SignUp = {
  /** What the browser brought, for a token; once, and within seconds. */
  exchangeCode(code: string): Promise<{ accessToken: string }>
  /** The accounts that a token opens, by the provider's ids. */
  accountsOf(accessToken: string): Promise<string[]>
}

/** This installation's own app at the provider. */
export type SignUpApp = {
  appId: string
  appSecret: string
  graphUrl?: string | undefined
  graphVersion?: string | undefined
}

export type ManagedFile = { name: string; mimeType: string; bytes: Buffer }

/** A line as the provider describes it: a number of a WhatsApp business account. */
export type LineFacts = {
  id: string
  displayNumber: string
  name: string
  nameStatus: string
  quality: 'green' | 'yellow' | 'red' | 'unknown'
  status: string
  /** People that may be written to first in 24 hours; null is no limit. */
  messagingLimit: number | null
  /** All lines that name the same group have that limit together. */
  limitGroup: string
  ratePerSecond: number
  mode: 'live' | 'sandbox'
}

export type TemplateDraft = {
  name: string
  language: string
  category: WhatsappCategory
  parameterFormat: 'positional' | 'named'
  content: WhatsappTemplateContent
}

/** The provider's values, in its capitals; unknown ones are passed through. */
export type TemplateFacts = TemplateDraft & {
  id: string
  status: string
  quality: 'green' | 'yellow' | 'red' | 'unknown'
  rejectedReason: string | undefined
  previousCategory: WhatsappCategory | undefined
}

/** The provider rejected the call or is unreachable; the message is shown to the caller. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** The provider's own code, such as `190`. */
  readonly code: string
  /** What a person can do about it. */
  readonly kind: 'credentials' | 'input' | 'limit' | 'passing' | 'other'

  constructor(message: string, { code, kind }: { code: string; kind: Refusal['kind'] }) {
    super(message)
    this.code = code
    this.kind = kind
  }
}
