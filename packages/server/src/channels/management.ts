import type { reviewStatuses } from '@carillon/contract/review-statuses'

/**
 * Optional abilities of a provider account besides sending messages. A provider leaves out what it does not offer.
 * Every call may throw a `Refusal`; other errors are bugs.
 */
export type Management<Template extends TemplateDraft = TemplateDraft, Profile = unknown> = {
  access?: AccountAccess
  lines?: Lines
  templateReview?: TemplateReview<Template>
  media?: MediaStorage
  profile?: Profiles<Profile>
  analytics?: Analytics
  reach?: Reach
}

export type AccountAccess = {
  /** Validates the credentials; returns the missing permissions and the expiry of the credentials. */
  check(): Promise<{ missing: string[]; expiresAt: Date | null }>
  describe(): Promise<{ name: string; currency: string; facts: Record<string, string> }>
  /** Registers the callback URL for the account. The provider verifies the URL during this call. */
  subscribe(callback: { url: string; verifyToken: string }): Promise<void>
  unsubscribe(): Promise<void>
}

/** The senders of an account, such as phone numbers. */
export type Lines = {
  list(): Promise<LineFacts[]>
  /** Enables sending from a line, with a six-digit PIN. */
  register(lineId: string, pin: string): Promise<void>
  /** Sends a read receipt and, with `isTyping`, a typing indicator. */
  markRead(lineId: string, message: { id: string; isTyping: boolean }): Promise<void>
}

/** Templates that the provider must approve before use. */
export type TemplateReview<Template extends TemplateDraft = TemplateDraft> = {
  list(page: { after?: string | undefined }): Promise<{ templates: Reviewed<Template>[]; after: string | undefined }>
  create(template: Template): Promise<Pick<Reviewed<Template>, 'id' | 'status' | 'category'>>
  /** Changes the content, and the category if the template is not approved. */
  edit(id: string, template: Template): Promise<void>
  /** Deletes all languages. */
  delete(name: string): Promise<void>
}

export type MediaStorage = {
  /** Uploads the sample of a template header or a profile picture; returns its handle. */
  uploadSample(file: ManagedFile): Promise<string>
  /** Uploads media for messages. */
  upload(lineId: string, file: ManagedFile): Promise<{ id: string; expiresAt: Date }>
  /** Downloads inbound media. */
  download(lineId: string, mediaId: string): Promise<{ mimeType: string; bytes: Buffer }>
}

export type Profiles<Profile = unknown> = {
  get(lineId: string): Promise<Profile>
  save(lineId: string, profile: Profile & { pictureHandle?: string | undefined }): Promise<void>
}

export type Analytics = {
  /** Both days are included, in UTC (`YYYY-MM-DD`). */
  query(range: { from: string; to: string; lineNumber?: string | undefined }): Promise<AccountAnalytics>
}

/** Which numbers can receive the account's messages. */
export type Reach = {
  /** Checks up to 10,000 numbers of one country, in E.164 with plus sign. */
  check(numbers: readonly string[]): Promise<ReachAnswer>
}

export type ReachAnswer = {
  reachable: ReadonlySet<string>
  /**
   * A random part of the numbers, and how many of it use the channel with any operator, whether or not the account is launched
   * there. 0 of 0 if the provider takes no sample of so few numbers.
   */
  sample: { numbers: number; reachable: number }
}

export type AccountAnalytics = {
  /** Per day. */
  points: { at: string; sent: number; delivered: number }[]
  /** Charges by the provider per category, in `currency`. */
  prices: { category: string; type: string; volume: number; cost: number }[]
  currency: string
}

/** The provider's own sign-up, in which customers choose the accounts to connect. Throws `Refusal` as `Management` does. */
export type SignUp = {
  /** Exchanges the browser's code for a token; the code works once and expires within seconds. */
  exchangeCode(code: string): Promise<{ accessToken: string }>
  /** Provider ids of the accounts that a token gives access to. */
  accountsOf(accessToken: string): Promise<string[]>
}

/** This installation's own app at the provider. */
export type SignUpApp = {
  appId: string
  appSecret: string
  /** URL and version of the provider's API; default: the provider's own. */
  apiUrl?: string | undefined
  apiVersion?: string | undefined
}

export type ManagedFile = { name: string; mimeType: string; bytes: Buffer }

/** A line as the provider describes it, such as a phone number of the account. */
export type LineFacts = {
  id: string
  displayNumber: string
  name: string
  nameStatus: string
  quality: Quality
  status: string
  /** Maximum number of people messaged first within 24 hours; null for no limit. */
  messagingLimit: number | null
  /** Lines with the same group share that limit. */
  limitGroup: string
  ratePerSecond: number
  mode: 'live' | 'sandbox'
}

/** Quality of a line or template as the provider rates it. */
export type Quality = 'green' | 'yellow' | 'red' | 'unknown'

export type ReviewStatus = (typeof reviewStatuses)[number]

export type TemplateDraft = { name: string; language: string; category: string; content: unknown }

/** A template with the result of its review. Unknown statuses are passed through in the provider's spelling. */
export type Reviewed<Template extends TemplateDraft> = Template & {
  id: string
  status: string
  quality: Quality
  rejectedReason: string | undefined
  previousCategory: Template['category'] | undefined
}

/** The provider rejected the call or is unreachable; the message is shown to the caller. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** The provider's own code, such as `190`. */
  readonly code: string
  /** What the user can do about it. */
  readonly kind: 'credentials' | 'input' | 'limit' | 'passing' | 'other'

  constructor(message: string, { code, kind }: { code: string; kind: Refusal['kind'] }) {
    super(message)
    this.code = code
    this.kind = kind
  }
}
