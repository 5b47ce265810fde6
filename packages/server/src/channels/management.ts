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
  describe?(): Promise<{ name: string; currency: string; facts: Record<string, string> }>
  /** Registers the callback URL for the account. The provider verifies the URL during this call. */
  subscribe?(callback: { url: string; verifyToken: string }): Promise<void>
  unsubscribe?(): Promise<void>
}

/** The senders of an account, such as phone numbers. */
export type Lines = {
  list(): Promise<LineFacts[]>
  /** Enables sending from a line, with a six-digit PIN. */
  register?(lineId: string, pin: string): Promise<void>
  /** Sends a read receipt and, with `isTyping`, a typing indicator. */
  markRead?(lineId: string, message: { id: string; isTyping: boolean }): Promise<void>
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

/** Which phones can receive messages of a sender. */
export type Reach = {
  /**
   * Checks numbers in bulk. `unknown` numbers could not be checked; the sample, absent for few numbers, is the provider's own
   * estimate over random numbers of the list.
   */
  checkMany(numbers: readonly string[]): Promise<{
    reachable: string[]
    unknown: string[]
    sample: { total: number; reachable: number } | undefined
  }>
  /** The features of one phone; undefined if it cannot be reached. */
  checkOne(number: string): Promise<{ features: string[] } | undefined>
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

/** This installation's own account with a provider, from which the bots of all organisations are managed. Throws `Refusal` as well. */
export type Partner = {
  /** Requests a token and lists the brands, by name. */
  check(): Promise<string[]>
  regions(): Promise<PartnerRegion[]>
  /** Creates the brand if it has none of that name, and the bot; returns the provider's id. */
  createBot(brand: BotBrand): Promise<string>
  describeBot(botId: string): Promise<PartnerBot>
  changeBot(botId: string, brand: BotBrand): Promise<void>
  requestVerification(botId: string, contact: BotContact): Promise<void>
  /** Names earlier regions as well, as the provider requires. */
  requestLaunch(botId: string, launch: { regions: readonly string[]; contact: BotContact }): Promise<void>
  listTesters(botId: string): Promise<PartnerTester[]>
  addTester(botId: string, phoneNumber: string): Promise<PartnerTester>
  removeTester(botId: string, phoneNumber: string): Promise<void>
  /** Registers the callback URL of the bot. The provider verifies the URL during this call. */
  setWebhook(botId: string, webhook: { url: string; token: string }): Promise<void>
}

/** An operator, or several, with which a bot is launched; `country` and `carrier` as in the launches of a bot. */
export type PartnerRegion = { id: string; name: string; country: string; carrier: string; isProviderManaged: boolean }

/** A bot as its provider describes it. */
export type PartnerBot = {
  name: string
  brandName: string
  description: string
  color: string
  logoUrl: string
  bannerUrl: string
  useCase: 'otp' | 'transactional' | 'promotional' | 'multi_use'
  /** Undefined if the provider does not say. */
  billing: 'conversational' | 'non_conversational' | undefined
  verification: 'unverified' | 'pending' | 'verified' | 'rejected'
  launches: BotLaunchFacts[]
}

export type BotLaunchFacts = {
  /** Two-letter code; empty for operators of several countries. */
  country: string
  carrier: string
  state: 'pending' | 'launched' | 'rejected' | 'suspended' | 'terminated'
  at: string | null
  note: string
}

/** What people see of a bot. */
export type BotBrand = {
  name: string
  brandName: string
  description: string
  color: string
  logoUrl: string
  bannerUrl: string
  phoneNumbers: readonly { number: string; label: string }[]
  emails: readonly { address: string; label: string }[]
  websites: readonly { url: string; label: string }[]
  privacyUrl: string
  termsUrl: string
  useCase: PartnerBot['useCase']
  billing: NonNullable<PartnerBot['billing']>
  hosting: 'asia_pacific' | 'europe' | 'north_america'
}

/** Who answers for the brand, and what the bot does. */
export type BotContact = {
  contactName: string
  contactTitle: string
  contactEmail: string
  website: string
  optIn: string
  trigger: string
  interactions: string
  optOut: string
  /** The installation's own name and address. */
  partner: { name: string; email: string }
}

export type PartnerTester = { phoneNumber: string; state: 'pending' | 'accepted' | 'declined' | 'unknown' }

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
  /** Null if the provider does not say: the entered rate applies. */
  ratePerSecond: number | null
  /** Category of the rate card by which conversations are charged; null for none. Absent if the provider does not say. */
  conversationCategory?: string | null
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
