import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { z } from 'zod'
import { newId } from '../lib/ids.ts'
import type { Fixtures } from './fixtures.ts'
import { apiKeySamples } from './api-keys.ts'
import { smppSamples } from './smpp-credentials.ts'
import type { Account } from './builders.ts'
import { kindsOfCalls, kindsOfFields, kindsOfIds, type Kind } from './id-kinds.ts'
import { inboxSamples, newcomer } from './inbox-samples.ts'
import { botDetails, logo, rcsTemplate, sampleBot, botConfig } from './rcs-samples.ts'
import { sampleConnection, sampleLine, sampleWaba } from './meta-ids.ts'
import type { UncheckedOptions } from './server.ts'
import { otpSamples } from './one-time-passwords.ts'
import { reportFileSamples } from './report-files.ts'
import { webhookSamples } from './webhooks.ts'

const people = { file: { name: 'people.csv', content: 'Name,Mobile\nAsha,9876543210\n' } }
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = { name: 'pixel.png', content: Buffer.from(pixel, 'base64'), type: 'image/png' }
const draft = { campaignName: 'Diwali' }
const emptyLeg = { channel: 'sms', senderId: null, templateId: null, values: { variables: [] } }
const draftOfSms = () => ({ ...draft, legs: [emptyLeg] })
const account = () => ({
  name: 'Main',
  provider: 'http-gateway',
  headers: ['CARLLN'],
  config: { url: 'https://gateway.example/send', bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}' },
})
const template = () => ({
  smsAccountId: newId(),
  name: `Greeting ${newId()}`,
  header: 'CARLLN',
  category: 'service_implicit',
  body: 'Hello {#var#}, all is well.',
})

const family = () => ({
  name: `Order shipped ${newId()}`,
  text: 'Hello {{name}}, your order ships today.',
  renditions: [{ channel: 'sms', templateId: newId() }],
})

/** An unreachable server. */
const whatsappAccount = () => sampleConnection('http://127.0.0.1:9')
const pictureHeader = () => ({ type: 'HEADER', format: 'IMAGE', handle: 'sample-handle', fileId: newId() })
const whatsappTemplate = () => ({
  waba_id: sampleWaba,
  name: `greeting_${newId().replaceAll('-', '')}`,
  language: 'en',
  category: 'UTILITY',
  components: {
    body: 'Hello, all is well with your order.',
    header: pictureHeader(),
    cards: [{ header: pictureHeader(), body: 'Look at this' }],
  },
})

const picturedValues = () => ({
  media: { mediaId: '12345', fileId: newId() },
  cards: [{ media: { mediaId: '12345', fileId: newId() } }],
})

/** The caller's password in sample calls; test accounts have no password by default. */
export const samplePassword = 'a password of its own'
const link = 'a'.repeat(64)
const span = { startDate: '2026-11-01', endDate: '2026-11-07' }

/** Valid input of each call besides path ids; ids do not exist. */
const samples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'auth.login': () => ({ body: { username: 'nobody', password: 'not the password' } }),
  'uploads.list': () => ({ query: { channel: 'sms' } }),
  'uploads.create': () => ({
    body: { channel: 'whatsapp' },
    files: { fileContent: picture },
  }),
  'conversations.upload': () => ({ files: { fileContent: picture } }),
  'uploads.delete': () => ({ body: { channel: 'sms' } }),
  'smsAccounts.check': () => ({ body: account() }),
  'smsAccounts.create': () => ({ body: account() }),
  'smsAccounts.update': () => ({ body: account() }),
  'smsAccounts.activate': () => ({ body: { id: newId(), isActive: true } }),
  'smsAccounts.test': () => ({ body: { phoneNumber: '+919876543210', header: 'CARLLN', text: 'Hello' } }),
  'channels.update': () => ({ body: {} }),
  'smsTemplates.create': () => ({ body: template() }),
  'smsTemplates.update': () => ({ body: { id: newId(), ...template() } }),
  'bots.request': () => ({ body: { details: botDetails() } }),
  'bots.uploadAsset': () => ({ body: { kind: 'logo' }, files: { file: logo } }),
  'bots.setStatus': () => ({ body: { botId: sampleBot, botStatus: 'active' } }),
  'bots.addTester': () => ({ body: { phoneNumber: '+919876543210' } }),
  'bots.removeTester': () => ({ path: { number: '+919876543210' } }),
  'bots.test': () => ({ body: { phoneNumber: '+919876543210', text: 'Hello' } }),
  'bots.create': () => ({
    body: { organizationId: newId(), provider: 'dotgo', botId: `bot_${newId()}`, config: botConfig() },
  }),
  'bots.update': () => ({ body: { id: newId(), details: { name: 'Renamed' }, config: botConfig() } }),
  'bots.reject': () => ({ body: { reason: 'The privacy policy is missing' } }),
  'bots.launch': () => ({ body: { regions: ['/v1/regions/in-vi'] } }),
  'rcsPartner.set': () => ({ body: { keyFile: '{}' } }),
  'rcsPartner.check': () => ({ body: { keyFile: '{}' } }),
  'wabas.onboard': () => ({ body: { code: 'sample-code' } }),
  'wabas.connect': () => ({ body: whatsappAccount() }),
  'wabas.change': () => ({
    body: { name: 'Renamed', accessToken: 'sample-token', appSecret: 'sample-app-secret' },
  }),
  'wabas.runStep': () => ({ path: { step: 'token' }, body: {} }),
  'wabas.activate': () => ({ body: { id: newId(), isActive: true } }),
  'wabas.analytics': () => ({ query: { waba_id: sampleWaba, from: '2026-11-01', to: '2026-11-07' } }),
  'wabas.profile': () => ({ query: { phone_number_id: sampleLine } }),
  'wabas.saveProfile': () => ({ body: { phone_number_id: sampleLine } }),
  'wabas.chooseSolution': () => ({ body: { solutionId: null } }),
  'rcsTemplates.save': () => ({ body: rcsTemplate() }),
  'rcsTemplates.create': () => ({ body: rcsTemplate() }),
  'rcsTemplates.sync': () => ({ body: { botId: sampleBot } }),
  'rcsMedia.template': () => ({ files: { file: picture } }),
  'rcsCampaigns.create': () => ({
    body: { campaignName: 'Offer', botId: sampleBot, templateId: newId(), numbers: ['9876543210'] },
  }),
  'waTemplates.save': () => ({ body: whatsappTemplate() }),
  'waTemplates.create': () => ({ body: whatsappTemplate() }),
  'waTemplates.delete': () => ({ query: { templateName: 'greeting_acme' }, body: { waba_id: sampleWaba } }),
  'waTemplates.sync': () => ({ body: { waba_id: sampleWaba } }),
  'waMedia.campaign': () => ({ body: { waba_id: sampleWaba }, files: { file: picture } }),
  'waMedia.template': () => ({ body: { waba_id: sampleWaba }, files: { file: picture } }),
  'waCampaigns.create': () => ({
    body: {
      ...draft,
      waba_id: sampleWaba,
      message: { templateId: newId(), values: picturedValues() },
      numbers: ['9876543210'],
    },
  }),
  'waCampaigns.responses': () => ({ query: { campaignId: newId() } }),
  'families.create': () => ({ body: family() }),
  'families.update': () => ({ body: family() }),
  'audience.create': () => ({ files: people }),
  'audience.map': () => ({ body: { phoneColumn: 1, defaultCountry: 'IN' } }),
  'audience.correct': () => ({ body: { automatic: true } }),
  'audience.recipient': () => ({ path: { seq: 0 } }),
  'savedViews.list': () => ({ query: { list: 'campaigns' } }),
  'savedViews.create': () => ({ body: { list: 'campaigns', name: `Failed ${newId()}`, query: 'f=6' } }),
  'savedViews.change': () => ({ body: { name: `Late ${newId()}`, isDefault: true } }),
  'savedAudiences.save': () => ({ body: { name: 'Members' } }),
  'optOuts.add': () => ({ body: { scope: 'sms', numbers: '9876543210' } }),
  'links.updateSettings': () => ({ body: { host: `go${newId().slice(-12)}.example.com` } }),
  'sendingRules.update': () => ({
    body: { optOutScope: 'all', frequencyCap: { messages: 3, days: 7, action: 'skip' } },
  }),
  'optOuts.remove': () => ({ path: { channel: 'sms', number: '+919876500000' } }),
  'publicMessages.send': () => ({ body: { to: '+919876543210', text: 'Hello' } }),
  'publicMessages.check': () => ({ body: { to: '+919876543210', text: 'Hello' } }),
  'publicMessages.sendMany': () => ({ body: { messages: [{ to: '+919876543210', text: 'Hello' }] } }),
  'messages.byNumber': () => ({ path: { number: '919876543210' } }),
  'smsCampaigns.responses': () => ({ query: { campaignId: newId() } }),
  'smsCampaigns.create': () => ({
    body: { ...draft, smsAccountId: newId(), templateId: newId(), numbers: ['9876543210'] },
  }),
  'smsCampaigns.search': () => ({ query: { query: 'Diwali' } }),
  'smsCampaigns.searchNumber': () => ({ query: { number: '98765' } }),
  'campaigns.schedule': () => ({ body: {} }),
  'campaigns.responses': () => ({ query: { campaignId: newId() } }),
  'campaigns.searchNumber': () => ({ query: { number: '98765' } }),
  'campaigns.week': () => ({ query: { from: '2031-01-06', to: '2031-01-12' } }),
  'campaigns.compare': () => ({ query: { ids: `${newId()},${newId()}` } }),
  'campaigns.using': () => ({ query: { need: 'sender', ids: newId() } }),
  'campaigns.retarget': () => ({ body: { result: 'delivered' } }),
  'campaigns.chooseWinner': () => ({ body: { variant: 0 } }),
  'campaigns.resendFailed': () => ({ body: { leaveOut: ['invalid_number'] } }),
  'campaigns.plannedStart': () => ({ query: { startAt: '2031-01-01T10:00:00Z' } }),
  'drafts.create': () => ({ body: draftOfSms() }),
  'drafts.save': () => ({ body: draftOfSms() }),
  'drafts.recipients': () => ({ query: { group: 'excluded' } }),
  'drafts.preview': () => ({ path: { seq: 0 } }),
  'drafts.test': () => ({ body: { phoneNumber: '+919876543210', seq: 0 } }),
  'reports.campaignExcel': () => ({ query: { campaignId: newId() } }),
  'auth.register': () => ({ body: newcomer() }),
  'auth.registerDefault': () => ({ body: { ...newcomer(), password: 'a long enough password' } }),
  'auth.registration': () => ({ body: {} }),
  'auth.sendResetLink': () => ({ body: { email: 'nobody@test.example' } }),
  'auth.reportIncident': () => ({ body: { address: '/?q=<script>' } }),
  'auth.resetPassword': () => ({ body: { newPassword: 'a long enough password', token: link } }),
  'auth.changePassword': () => ({ body: { currentPassword: samplePassword, newPassword: 'a long enough password' } }),
  'auth.impersonate': () => ({ body: { userId: newId() } }),
  'auth.resellerImpersonate': () => ({ body: { userId: newId() } }),
  'emailChange.details': () => ({ body: { token: link } }),
  'emailChange.confirm': () => ({ body: { token: link } }),
  'emailChange.refuse': () => ({ body: { token: link } }),
  'emailChange.resend': () => ({ body: {} }),
  'emailChange.cancel': () => ({ body: {} }),
  'auth.exitImpersonation': () => ({ body: { exitToken: link } }),
  'totp.begin': () => ({ body: { currentPassword: samplePassword } }),
  'totp.confirm': () => ({ body: { code: '000000' } }),
  'totp.remove': () => ({ body: { currentPassword: samplePassword } }),
  'invitations.create': () => ({ body: { email: `${newId()}@test.example`, type: 'user', modules: [] } }),
  'invitations.accept': () => ({
    body: { token: link, name: 'Asha', username: 'asha', password: 'a long enough password' },
  }),
  'users.update': () => ({ body: { userId: newId(), name: 'Asha' } }),
  'users.setStatus': () => ({ body: { status: 'suspended' } }),
  'users.move': () => ({ body: { parentId: newId() } }),
  'signUp.allowImpersonation': () => ({ body: { mayImpersonate: false } }),
  'signUp.set': () => ({ body: { allowRegistration: false, autoApprove: false, defaultModules: [] } }),
  'limits.set': () => ({ body: { userId: newId(), limits: [{ key: 'users', limit: 5 }] } }),
  'permissions.grant': () => ({
    body: { userId: newId(), modulePermissions: [{ moduleName: 'chat', granted: false }] },
  }),
  'profile.update': () => ({ body: { name: 'Asha' } }),
  'campaigns.search': () => ({ query: { query: 'Diwali' } }),
  'dashboard.storedStatusCounts': () => ({ query: { userIds: newId(), ...span } }),
  'reports.teamUsage': () => ({ query: span }),
  'balance.add': () => ({ body: { userId: newId(), amount: 10 } }),
  'balance.deduct': () => ({ body: { userId: newId(), amount: 10 } }),
  'balance.transfer': () => ({ body: { fromUserId: newId(), toUserId: newId(), amount: 10 } }),
  'balance.setOwn': () => ({ body: { userId: newId(), ownBalance: true } }),
  'balance.request': () => ({ body: { requestedBalance: 10 } }),
  'topUps.answer': () => ({ body: { approve: false } }),
  'billingDetails.set': () => ({ body: {} }),
  'rateCards.create': () => ({ body: { userId: newId(), name: 'Card', rates: [{ channel: 'sms', price: 0.2 }] } }),
  'support.open': () => ({ body: { subject: 'A question', body: 'How does it work?' } }),
  'support.answer': () => ({ body: { body: 'Like this.' } }),
  'support.setStatus': () => ({ body: { status: 'resolved' } }),
  'support.escalate': () => ({ body: {} }),
  'notifications.read': () => ({ body: {} }),
  'sending.resume': () => ({ body: {} }),
  ...inboxSamples,
  ...apiKeySamples,
  ...smppSamples,
  ...webhookSamples,
  ...otpSamples,
  ...reportFileSamples,
  'brand.set': () => ({ body: { name: 'Deccan', color: '#0f766e', colorDark: '#5eead4' } }),
  'brand.setLogo': () => ({ files: { logo: picture } }),
}

/** A valid call with ids that do not exist. */
export function sampleCall(name: EndpointName): UncheckedOptions {
  const sample = samples[name]?.() ?? {}
  const ids = findIdPlaces(endpoints[name]).filter(({ part }) => part === 'path')
  return { ...sample, path: { ...Object.fromEntries(ids.map(({ field }) => [field, newId()])), ...sample.path } }
}

/** A field that takes a record id: `ids.0` is an entry of a list, `userIds` and similar hold comma-separated ids. */
export type IdPlace = { part: 'path' | 'query' | 'body'; field: string }

export function findIdPlaces(endpoint: Endpoint): IdPlace[] {
  const parts = ['path', 'query', 'body'] as const
  return parts.flatMap((part) => {
    const schema = endpoint[part]
    if (!schema) return []
    return fieldsOfIds(shapeOf(schema), []).map((keys) => ({ part, field: keys.join('.') }))
  })
}

/** Every text and number field of a call, including optional ones. */
export function findFields(endpoint: Endpoint): (IdPlace & { shape: Shape })[] {
  const parts = ['path', 'query', 'body'] as const
  return parts.flatMap((part) => {
    const schema = endpoint[part]
    const leaves = schema ? leavesOf(shapeOf(schema), []) : []
    const fields = leaves.map(({ keys, shape }) => ({ part, field: keys.join('.'), shape }))
    // Choices of a union share fields.
    return [
      ...new Map(fields.map((found) => [`${found.field} ${found.shape.type} ${found.shape.format}`, found])).values(),
    ]
  })
}

type Leaf = { keys: string[]; shape: Shape }

function leavesOf(shape: Shape, keys: string[]): Leaf[] {
  const choices = [shape.anyOf, shape.oneOf, shape.allOf].flatMap((found) => found ?? [])
  const isLeaf = ['string', 'number', 'integer'].includes(shape.type ?? '')
  return [
    ...(isLeaf ? [{ keys, shape }] : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([key, property]) => leavesOf(property, [...keys, key])),
    ...(shape.items ? leavesOf(shape.items, [...keys, '0']) : []),
    ...choices.flatMap((choice) => leavesOf(choice, keys)),
  ]
}

export function shapeOf(schema: z.ZodType): Shape {
  // Narrows zod's JSON Schema type to the parts used here.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
}

/** The parts of a JSON Schema used here. */
export type Shape = {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  maxLength?: number
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
}

function fieldsOfIds(shape: Shape, keys: string[]): string[][] {
  if (shape.format === 'uuid' || (shape.type !== 'array' && isJoined({ field: keys.join('.') }))) return [keys]
  const inside = [
    ...Object.entries(shape.properties ?? {}).flatMap(([key, property]) => fieldsOfIds(property, [...keys, key])),
    ...(shape.items ? fieldsOfIds(shape.items, [...keys, '0']) : []),
    ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((choices) =>
      (choices ?? []).flatMap((choice) => fieldsOfIds(choice, keys)),
    ),
  ]
  return [...new Map(inside.map((found) => [found.join('.'), found])).values()]
}

/** Whether the field holds comma-separated ids. */
export const isJoined = ({ field }: Pick<IdPlace, 'field'>) => field.endsWith('Ids')

/** What a reply needs besides an id, for each kind of content that has one. */
const contentByField: Record<string, object> = {
  'content.fileId': { type: 'media' },
  'content.templateId': { type: 'template' },
  'content.to': { type: 'reaction', emoji: '👍' },
}

/** What a call needs besides an id, if it is not of every kind. */
const besideField: Record<string, (input: Record<string, unknown>) => object> = {
  key: () => ({ kind: 'api_send' }),
  'abTest.variants.0.senderId': () => ({ abTest: { variants: [emptyLeg] } }),
  'abTest.variants.0.templateId': () => ({ abTest: { variants: [emptyLeg] } }),
  'legs.0.content.fileId': ({ from }) => ({ legs: [{ from, content: { type: 'media' } }] }),
}

/** The same call with a different value in one field. */
export function put(call: UncheckedOptions, { part, field }: IdPlace, value: unknown): UncheckedOptions {
  const content = contentByField[field]
  const { text, ...rest } = (call[part] ?? {}) as Record<string, unknown>
  // A message has one content.
  const isContent = content !== undefined || field.startsWith('template.')
  const before = {
    ...rest,
    ...besideField[field]?.(rest),
    ...(text === undefined || isContent ? {} : { text }),
    ...(content ? { content } : {}),
  }
  return { ...call, [part]: withValue(before, field.split('.'), value) }
}

function withValue(before: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (key === '0') return [withValue(Array.isArray(before) ? before[0] : undefined, rest, value)]
  const record = (before ?? {}) as Record<string, unknown>
  return { ...record, [key]: withValue(record[key], rest, value) }
}

/** The kind of an id field: by its name, or for a plain `id` by the name of the call. */
export function kindOf(name: EndpointName, { field }: Pick<IdPlace, 'field'>): Kind {
  if (/(?:user|parent)Ids?$|createdBy$/i.test(field)) return 'account'
  const isWhatsapp = name.startsWith('waCampaigns.')
  if (isWhatsapp && field.endsWith('templateId')) return 'whatsappTemplate'
  if (name.startsWith('rcsCampaigns.') && field === 'templateId') return 'rcsTemplate'
  const kind = /^ids?(?:\.0)?$/.test(field)
    ? (kindsOfIds[name] ?? kindsOfCalls[name.split('.')[0] ?? ''])
    : kindsOfFields[field.replace(/\.0$/, '').split('.').at(-1) ?? '']
  if (!kind) throw new Error(`The kind of the id ${field} of ${name} is unknown: add it to id-kinds.ts`)
  return kind
}

/** The call with all required id fields set to records of the caller. */
export function filledCall(
  name: EndpointName,
  { as, has }: { as: Account; has: Fixtures & { otherAccount?: string } },
): UncheckedOptions {
  const idFor = ({ field }: IdPlace) =>
    (/^(?:to|parent)/.test(field) ? has.otherAccount : undefined) ?? has[kindOf(name, { field })]
  const sample = sampleCall(name)
  return findIdPlaces(endpoints[name])
    .filter((place) => hasValue(sample, place))
    .reduce<UncheckedOptions>((call, place) => put(call, place, idFor(place)), { ...withSender(name, sample, has), as })
}

const sendingCalls: ReadonlySet<EndpointName> = new Set([
  'publicMessages.send',
  'publicMessages.check',
  'otp.send',
  'otp.resend',
])

/** An organisation with several active senders has to name one. */
function withSender(name: EndpointName, sample: UncheckedOptions, has: Fixtures): UncheckedOptions {
  return sendingCalls.has(name) ? { ...sample, body: { ...(sample.body as object), from: has.smsAccount } } : sample
}

/** Whether the sample sets this field. */
function hasValue(call: UncheckedOptions, { part, field }: IdPlace): boolean {
  return (
    field.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], call[part]) !==
    undefined
  )
}
