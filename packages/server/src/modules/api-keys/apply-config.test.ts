import { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { newId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { applyConfig, findRestriction, findTooManyRecipients, type ConfiguredSend } from './apply-config.ts'

type Rules = Omit<z.input<typeof KeyConfigPayload>, 'binding'>
const configOf = (rules: Rules) => KeyConfigPayload.parse({ binding: { name: 'Rules' }, ...rules })
const [sender, template, other] = [newId(), newId(), newId()]
const plain: ConfiguredSend = { channel: 'sms', to: '+919876543210', hasContent: true }

/** The field and text of the problem; undefined if there is none. */
function problemOf(result: unknown) {
  return result instanceof Problem ? [result.code, result.details?.[0]?.field, result.message] : undefined
}

describe('defaults', () => {
  const defaults = {
    senderId: sender,
    templateId: template,
    category: 'utility',
    language: 'en',
    dlt: { entityId: '1'.repeat(19), templateId: '2'.repeat(19) },
    country: 'IN',
    ttlSeconds: 600,
  }
  const config = configOf({ channels: { default: 'sms' }, defaults })

  test('fill in what a message leaves open', () => {
    const { dlt, ...fields } = defaults
    expect(applyConfig(config, { to: '98765 43210', hasContent: false })).toEqual({
      ...fields,
      entityId: dlt.entityId,
      dltTemplateId: dlt.templateId,
      to: '+919876543210',
      channel: 'sms',
      hasContent: false,
    })
  })

  test('do not replace what it names, and no template is added to a text', () => {
    const own = {
      channel: 'sms' as const,
      to: '+14155552671',
      senderId: other,
      category: 'marketing',
      language: 'hi',
      ttlSeconds: 60,
      dltTemplateId: '3'.repeat(19),
      hasContent: true,
    }
    expect(applyConfig(config, own)).toEqual({ ...own, entityId: '1'.repeat(19), country: 'US' })
  })

  test('of one channel are not used on another', () => {
    expect(applyConfig(config, { channel: 'rcs', to: '9876543210', hasContent: true })).toEqual({
      channel: 'rcs',
      to: '+919876543210',
      country: 'IN',
      ttlSeconds: 600,
      hasContent: true,
    })
  })

  test('a message needs a channel, and a number that can be read', () => {
    expect(problemOf(applyConfig(configOf({}), { to: '+919876543210', hasContent: true }))).toEqual([
      'bad_request',
      'channel',
      'Choose a channel: the API key has no default channel',
    ])
    expect(problemOf(applyConfig(undefined, { ...plain, to: '9876543210' }))?.slice(0, 2)).toEqual([
      'bad_request',
      'to',
    ])
    expect(applyConfig(undefined, plain)).toEqual({ ...plain, country: 'IN' })
    expect(applyConfig(config, { channel: 'rcs', hasContent: true })).toMatchObject({ channel: 'rcs' })
  })
})

describe('rules', () => {
  test.each<[string, Rules, Partial<ConfiguredSend>, field: string | undefined]>([
    ['an allowed channel', { channels: { allowed: ['sms'] } }, {}, undefined],
    ['another channel', { channels: { allowed: ['rcs', 'whatsapp'] } }, {}, 'channel'],
    ['an allowed sender', { channels: { senderIds: [sender] } }, { senderId: sender }, undefined],
    ['another sender', { channels: { senderIds: [sender] } }, { senderId: other }, 'from'],
    ['a sender that is chosen later', { channels: { senderIds: [sender] } }, {}, undefined],
    ['a text where only templates may be sent', { filters: { templatesOnly: true } }, {}, 'template'],
    ['a template there', { filters: { templatesOnly: true } }, { hasContent: false, templateId: other }, undefined],
    ['an allowed template', { filters: { allowedTemplateIds: [template] } }, { templateId: template }, undefined],
    ['another template', { filters: { allowedTemplateIds: [template] } }, { templateId: other }, 'template'],
    ['an allowed country', { filters: { allowedCountries: ['IN'] } }, {}, undefined],
    ['another country', { filters: { allowedCountries: ['IN'] } }, { to: '+14155552671' }, 'to'],
    ['a satellite number', { filters: { allowedCountries: ['IN'] } }, { to: '+80012345678' }, 'to'],
    ['a blocked beginning', { filters: { blockedPrefixes: ['1', '91987'] } }, {}, 'to'],
    ['another beginning', { filters: { blockedPrefixes: ['9198761', '7'] } }, {}, undefined],
  ])('%s', (_, rules, send, field) => {
    const result = applyConfig(configOf(rules), { ...plain, ...send })
    expect(problemOf(result)?.slice(0, 2)).toEqual(field && ['key_restricted', field])
  })

  test('parts are checked once the text is known', () => {
    const config = configOf({ filters: { maxSegments: 2 } })
    expect(findRestriction(config, { parts: 2 })).toBeUndefined()
    expect(findRestriction(config, { parts: 3 })).toMatchObject({
      code: 'key_restricted',
      message: 'The message has 3 parts, and this API key may send at most 2',
    })
    expect(findRestriction(undefined, { parts: 30 })).toBeUndefined()
  })

  test('recipients of a request are limited, also without a config', () => {
    const config = configOf({ rate: { recipientsPerRequest: 10 } })
    expect([10, 11].map((count) => findTooManyRecipients(config, count)?.message)).toEqual([
      undefined,
      'A request may have at most 10 recipients',
    ])
    expect([1000, 1001].map((count) => findTooManyRecipients(undefined, count) !== undefined)).toEqual([false, true])
  })
})
