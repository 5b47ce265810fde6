/** A JSON object as received. */
export type Row = Record<string, unknown>

export type App = {
  id: string
  name: string
  secret: string
  /** The app's own webhook in the dashboard; a WABA may override it. */
  verifyToken: string
  callbackUrl: string | undefined
  fields: Set<string>
}

export type Scope = 'whatsapp_business_messaging' | 'whatsapp_business_management' | 'business_management'

export type Token = {
  value: string
  appId: string
  scopes: Scope[]
  wabaIds: string[] | 'all'
  issuedAtMs: number
  expiresAtMs: number | undefined
  isRevoked: boolean
  /** `id|secret` of an app: it can only manage the app. */
  isOfApp: boolean
}

export type Override = { url: string; verifyToken: string }

/** A business with any number of accounts. */
export type Portfolio = {
  id: string
  /** How many people all its numbers together may message first in 24 hours. */
  limitTier: string
}

export type Waba = {
  id: string
  businessId: string
  name: string
  currency: string
  timezoneId: string
  namespace: string
  country: string
  status: string
  accountReviewStatus: string
  businessVerificationStatus: string
  isEnabledForInsights: boolean
  /** Templates are accepted, and fail later. */
  hasPaymentProblem: boolean
  /** By app. */
  subscriptions: Map<string, { override: Override | undefined }>
  creations: number[]
}

export type Profile = {
  about?: string
  address?: string
  description?: string
  email?: string
  profile_picture_url?: string
  websites?: string[]
  vertical?: string
}

export type PhoneNumber = {
  id: string
  wabaId: string
  /** Digits only. */
  digits: string
  displayPhoneNumber: string
  countryCode: string
  verifiedName: string
  qualityRating: string
  codeVerificationStatus: string
  nameStatus: string
  status: string
  platformType: string
  throughputLevel: string
  accountMode: string
  isOfficial: boolean
  lastOnboardedTime: string | undefined
  username: string | undefined
  isRegistered: boolean
  pin: string | undefined
  /** Sent by SMS or voice, not yet entered. */
  code: string | undefined
  registrations: number[]
  wrongPins: number
  override: Override | undefined
  profile: Profile
}

export type TemplateStatus =
  | 'APPROVED'
  | 'PENDING'
  | 'REJECTED'
  | 'PAUSED'
  | 'DISABLED'
  | 'IN_APPEAL'
  | 'PENDING_DELETION'
  | 'DELETED'
  | 'LIMIT_EXCEEDED'
  | 'ARCHIVED'
  | 'LOCKED'
  | 'FLAGGED'

export type Category = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
export type QualityScore = 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'

export type Template = {
  id: string
  wabaId: string
  name: string
  language: string
  category: Category
  previousCategory: Category | undefined
  correctCategory: Category | undefined
  status: TemplateStatus
  rejectedReason: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Row[]
  quality: { score: QualityScore; date: number }
  ttlSeconds: number | undefined
  ctaUrlLinkTrackingOptedOut: boolean
  edits: number[]
  timesPaused: number
  /** New marketing templates may be sent to a few people first: the others are held, then released or dropped. */
  pacing: 'none' | 'release' | 'drop'
  /** Incremented with every change, so that data derived from the components is invalidated. */
  revision: number
}

export type Media = {
  id: string
  phoneNumberId: string
  mimeType: string
  sha256: string
  bytes: Buffer
  fileName: string | undefined
  expiresAtMs: number
}

export type Person = {
  /** The WhatsApp id: digits of the number. */
  waId: string
  name: string
  /** The business-scoped id, once this person has one. */
  userId: string | undefined
  username: string | undefined
  hidesNumber: boolean
  isOnWhatsApp: boolean
  readReceipts: boolean
  /** Phone number ids that this person has blocked. */
  blocked: Set<string>
  /** WABAs whose marketing this person stopped. */
  stopped: Set<string>
}

export type ServiceWindow = { lastInboundAtMs: number; freeEntryUntilMs: number; isFromAd: boolean }

/** A sample that is uploaded in pieces. */
export type UploadSession = {
  id: string
  appId: string
  fileName: string
  length: number
  mimeType: string
  pieces: Buffer[]
  received: number
}
