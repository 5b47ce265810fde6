import { randomBytes } from 'node:crypto'
import { demoAccount } from './demo-account.ts'
import type {
  App,
  Media,
  Person,
  PhoneNumber,
  Portfolio,
  Scope,
  Template,
  Token,
  UploadSession,
  Waba,
} from './objects.ts'

export const webhookFields = [
  'account_alerts',
  'account_review_update',
  'account_update',
  'business_capability_update',
  'flows',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messages',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'template_category_update',
  'user_preferences',
] as const

export const allScopes: Scope[] = ['whatsapp_business_messaging', 'whatsapp_business_management', 'business_management']

export type SignupCode = { code: string; appId: string; wabaId: string; expiresAtMs: number }

/** All objects by id. */
export type Meta = {
  apps: Map<string, App>
  tokens: Map<string, Token>
  portfolios: Map<string, Portfolio>
  wabas: Map<string, Waba>
  numbers: Map<string, PhoneNumber>
  templates: Map<string, Template>
  media: Map<string, Media>
  uploads: Map<string, UploadSession>
  /** Finished uploads by handle. */
  handles: Map<string, { mimeType: string; bytes: Buffer; fileName: string }>
  codes: Map<string, SignupCode>
  people: Map<string, Person>
  /** Names of deleted approved templates, blocked for 30 days. */
  restingNames: Map<string, number>
  nextId: (kind: IdKind) => string
  reset: () => void
  /** State that survives a restart; media bytes and unfinished uploads do not. */
  snapshot: () => MetaSnapshot
  restore: (snapshot: MetaSnapshot) => void
}

type Lasting = 'apps' | 'tokens' | 'portfolios' | 'wabas' | 'numbers' | 'templates' | 'people' | 'restingNames'

export type MetaSnapshot = { ids: Record<IdKind, bigint> } & Pick<Meta, Lasting>

export type IdKind = 'media' | 'waba' | 'number' | 'business' | 'template' | 'conversation'

const firstIds: Record<IdKind, bigint> = {
  media: 310_000_000_000_001n,
  waba: 260_000_000_000_101n,
  number: 270_000_000_000_101n,
  business: 250_000_000_000_101n,
  // Greater than 2^53, as Meta's ids can be: parsing them as a number loses digits.
  template: 9_107_199_254_740_993n,
  conversation: 410_000_000_000_001n,
}

export function createMeta(): Meta {
  let ids = { ...firstIds }
  const meta: Meta = {
    apps: new Map(),
    tokens: new Map(),
    portfolios: new Map(),
    wabas: new Map(),
    numbers: new Map(),
    templates: new Map(),
    media: new Map(),
    uploads: new Map(),
    handles: new Map(),
    codes: new Map(),
    people: new Map(),
    restingNames: new Map(),
    nextId(kind) {
      ids[kind] += 2n
      return String(ids[kind])
    },
    reset() {
      ids = { ...firstIds }
      for (const part of Object.values(meta)) if (part instanceof Map) part.clear()
      createDemoObjects(meta)
    },
    snapshot: () => ({ ids, ...pickLasting(meta) }),
    restore(snapshot) {
      ids = { ...snapshot.ids }
      Object.assign(meta, pickLasting(snapshot))
    },
  }
  createDemoObjects(meta)
  return meta
}

function pickLasting(from: Pick<Meta, Lasting>): Pick<Meta, Lasting> {
  const { apps, tokens, portfolios, wabas, numbers, templates, people, restingNames } = from
  return { apps, tokens, portfolios, wabas, numbers, templates, people, restingNames }
}

function createDemoObjects(meta: Meta) {
  putApp(meta, { id: demoAccount.appId })
  putToken(meta, { value: demoAccount.token })
  addWaba(meta, { id: demoAccount.wabaId, businessId: demoAccount.businessId, name: 'Acme Retail' })
  for (const [index, id] of demoAccount.phoneNumberIds.entries())
    addNumber(meta, {
      id,
      wabaId: demoAccount.wabaId,
      displayPhoneNumber: demoAccount.displayPhoneNumbers[index] ?? '',
      verifiedName: index === 0 ? 'Acme Retail' : 'Acme Support',
    })
  addTemplate(meta, {
    wabaId: demoAccount.wabaId,
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      { type: 'BODY', text: 'Your account is set up and this is its first message.' },
      { type: 'FOOTER', text: 'A sample from the simulator' },
    ],
  })
}

export function putApp(meta: Meta, changes: Partial<App> & { id: string }): App {
  const app = meta.apps.get(changes.id) ?? {
    id: changes.id,
    name: 'Carillon',
    secret: demoAccount.appSecret,
    verifyToken: demoAccount.verifyToken,
    callbackUrl: undefined,
    fields: new Set<string>(webhookFields),
  }
  meta.apps.set(app.id, Object.assign(app, changes))
  return app
}

export function putToken(meta: Meta, settings: Partial<Token>): Token {
  const token: Token = {
    value: `EAA${randomBytes(60).toString('base64url').replaceAll(/[-_]/g, 'Z')}`,
    appId: demoAccount.appId,
    scopes: allScopes,
    wabaIds: 'all',
    issuedAtMs: Date.now(),
    expiresAtMs: undefined,
    isRevoked: false,
    isOfApp: false,
    ...settings,
  }
  meta.tokens.set(token.value, token)
  return token
}

export function addWaba(meta: Meta, settings: Partial<Waba>): Waba {
  const id = settings.id ?? meta.nextId('waba')
  const waba: Waba = {
    businessId: meta.nextId('business'),
    name: 'New business',
    currency: 'INR',
    timezoneId: '71',
    namespace: `${id.slice(-8)}_5f1e_4c1d_9a57_3f2b8d1c6e40`,
    country: 'IN',
    status: 'ACTIVE',
    accountReviewStatus: 'APPROVED',
    businessVerificationStatus: 'verified',
    isEnabledForInsights: false,
    hasPaymentProblem: false,
    subscriptions: new Map(),
    creations: [],
    ...settings,
    id,
  }
  meta.wabas.set(id, waba)
  return waba
}

/** The business of an account; by default its messaging limit is high. */
export function portfolioOf(meta: Meta, wabaId: string): Portfolio {
  const id = meta.wabas.get(wabaId)?.businessId ?? ''
  const portfolio = meta.portfolios.get(id) ?? { id, limitTier: 'TIER_100K' }
  meta.portfolios.set(id, portfolio)
  return portfolio
}

export function addNumber(
  meta: Meta,
  settings: Partial<PhoneNumber> & Pick<PhoneNumber, 'wabaId' | 'displayPhoneNumber'>,
): PhoneNumber {
  const id = settings.id ?? meta.nextId('number')
  const number: PhoneNumber = {
    digits: settings.displayPhoneNumber.replaceAll(/\D/g, ''),
    countryCode: /^\+(\d{1,3})\b/.exec(settings.displayPhoneNumber)?.[1] ?? '91',
    verifiedName: 'New business',
    qualityRating: 'GREEN',
    codeVerificationStatus: 'VERIFIED',
    nameStatus: 'APPROVED',
    status: 'CONNECTED',
    platformType: 'CLOUD_API',
    throughputLevel: 'STANDARD',
    accountMode: 'LIVE',
    isOfficial: false,
    lastOnboardedTime: new Date().toISOString().replace(/\.\d+Z$/, '+0000'),
    username: undefined,
    isRegistered: true,
    pin: undefined,
    code: undefined,
    registrations: [],
    wrongPins: 0,
    override: undefined,
    profile: {},
    ...settings,
    id,
  }
  meta.numbers.set(id, number)
  return number
}

export function addTemplate(
  meta: Meta,
  settings: Partial<Template> & Pick<Template, 'wabaId' | 'name' | 'language' | 'category' | 'components'>,
): Template {
  const id = settings.id ?? meta.nextId('template')
  const template: Template = {
    previousCategory: undefined,
    correctCategory: undefined,
    status: 'PENDING',
    rejectedReason: 'NONE',
    parameterFormat: 'POSITIONAL',
    quality: { score: 'UNKNOWN', date: Math.floor(Date.now() / 1000) },
    ttlSeconds: undefined,
    ctaUrlLinkTrackingOptedOut: false,
    edits: [],
    timesPaused: 0,
    pacing: 'none',
    revision: 0,
    ...settings,
    id,
  }
  meta.templates.set(id, template)
  return template
}
