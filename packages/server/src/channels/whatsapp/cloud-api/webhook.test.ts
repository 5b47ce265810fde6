import { describe, expect, test } from 'vitest'
import { envelope, eventsOf, lineId, messages, metadata, post, wabaId } from './webhook-testing.ts'

describe('a payload without events', () => {
  test.each([
    ['another object', '{"object":"page","entry":[{"id":"260000000000001","changes":[]}]}'],
    ['an empty list', '{"object":"whatsapp_business_account","entry":[]}'],
    ['no list', '{"object":"whatsapp_business_account"}'],
    ['odd entries', '{"object":"whatsapp_business_account","entry":[null,1,"x",[]]}'],
    [
      'odd changes',
      `{"object":"whatsapp_business_account","entry":[{"id":"${wabaId}","changes":{"field":"messages"}}]}`,
    ],
    ['a field that is not known', envelope('smb_message_echoes', { message_echoes: [{ id: 'wamid.A' }] })],
    ['the name of what every object has', envelope('constructor', { a: 1 })],
    [
      'a value that is a list',
      `{"object":"whatsapp_business_account","entry":[{"id":"${wabaId}","changes":[{"field":"messages","value":[]}]}]}`,
    ],
    ['a status without an id', envelope('messages', { metadata, statuses: [{ status: 'sent' }] })],
    [
      'a status nobody knows',
      envelope('messages', {
        metadata,
        statuses: [
          { id: 'wamid.A', status: 'warning' },
          { id: 'wamid.A', status: 'deleted' },
        ],
      }),
    ],
    ['a message without a sender', envelope('messages', { metadata, messages: [{ id: 'wamid.A', type: 'text' }] })],
    [
      'another account',
      envelope('messages', { metadata, statuses: [{ id: 'wamid.A', status: 'sent' }] }, '260000000000009'),
    ],
    ['a list', '[]'],
    ['null', 'null'],
  ])('%s is acknowledged and ignored', (_, body) => {
    expect(eventsOf(body)).toEqual([])
  })

  test('is rejected if it is not JSON', () => {
    expect(post('{"object":')).toMatchObject({ kind: 'refused', status: 400 })
  })
})

describe('a status', () => {
  const row = {
    id: 'wamid.A',
    timestamp: '1750000000',
    recipient_id: '919812345678',
    biz_opaque_callback_data: 'c.1.7',
  }

  test.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
    ['played', 'read'],
  ])('%s', (status, expected) => {
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
    const [event] = messages({ statuses: [{ ...row, status, pricing }] })
    expect(event).toMatchObject({
      kind: 'delivery-report',
      providerMessageIds: ['wamid.A'],
      reference: 'c.1.7',
      status: expected,
      at: new Date(1_750_000_000_000),
      lineId,
    })
    expect(event?.raw).toContain('"billable":true')
  })

  test.each([
    [131026, 'number_unreachable'],
    [131047, 'outside_window'],
    [131049, 'user_marketing_cap'],
    [131053, 'media_failed'],
    [131048, 'sender_spam_limited'],
    [130472, 'undelivered'],
    [132015, 'template_paused'],
    [777_777, 'unknown'],
  ])('failed with %i', (code, reason) => {
    const errors = [{ code, title: 'No', message: 'No', error_data: { details: 'In full words' }, href: 'https://x' }]
    expect(messages({ statuses: [{ ...row, status: 'failed', errors }] })).toMatchObject([
      { status: 'failed', reason, code: String(code), detail: 'In full words' },
    ])
  })

  test('failed because the person stopped marketing messages: the preference is stored as well', () => {
    const errors = [{ code: 131050, title: 'No', error_data: { details: 'In full words' } }]
    expect(messages({ statuses: [{ ...row, status: 'failed', recipient_id: '919845011208', errors }] })).toMatchObject([
      { kind: 'delivery-report', status: 'failed', reason: 'opted_out', code: '131050' },
      { kind: 'preference-change', from: '919845011208', wantsNone: true, lineId },
    ])
  })

  test('failed without a reason, with a time in milliseconds, without a reference', () => {
    const status = { id: 'wamid.A', status: 'failed', timestamp: 1_750_000_000_123 }
    const [event] = messages({ statuses: [status] })
    expect(event).toMatchObject({ status: 'failed', reason: 'unknown', at: new Date(1_750_000_000_123) })
    expect(event).not.toHaveProperty('reference')
  })

  test('a thousand in one post', () => {
    const changes = Array.from({ length: 1000 }, (_, index) => ({
      field: 'messages',
      value: { metadata, statuses: [{ ...row, id: `wamid.${index}`, status: 'sent' }] },
    }))
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        { id: wabaId, changes: changes.slice(0, 400) },
        { id: wabaId, changes: changes.slice(400) },
      ],
    })
    expect(
      new Set(eventsOf(body).map((event) => 'providerMessageIds' in event && event.providerMessageIds[0])).size,
    ).toBe(1000)
  })
})

describe('a template', () => {
  const about = { message_template_name: 'order_update', message_template_language: 'en' }
  // As Meta sends it: a number too large for a double.
  const change = (field: string, value: object) =>
    eventsOf(envelope(field, { message_template_id: 'ID', ...about, ...value }).replace('"ID"', '9107199254740993'))

  test.each<[string, object, object]>([
    ['approved', { event: 'APPROVED', reason: 'NONE' }, { status: 'APPROVED' }],
    [
      'rejected',
      { event: 'REJECTED', reason: 'INVALID_FORMAT', rejection_info: { reason: 'Bad', recommendation: 'Mend' } },
      { status: 'REJECTED', reason: 'INVALID_FORMAT', detail: 'Bad Mend' },
    ],
    [
      'paused',
      { event: 'PAUSED', reason: 'NONE', other_info: { title: 'FIRST_PAUSE', description: 'For 3 hours' } },
      { status: 'PAUSED', reason: 'FIRST_PAUSE', detail: 'For 3 hours' },
    ],
    [
      'disabled',
      { event: 'DISABLED', reason: null, disable_info: { disable_date: '2026-01-02' } },
      { status: 'DISABLED', detail: 'From 2026-01-02' },
    ],
    ['in an unknown state', { event: 'SOMETHING_NEW' }, { status: 'SOMETHING_NEW' }],
  ])('%s', (_, value, expected) => {
    const [event] = change('message_template_status_update', value)
    expect(event).toMatchObject({
      kind: 'template-change',
      templateId: '9107199254740993',
      name: 'order_update',
      language: 'en',
      ...expected,
    })
    expect(event).not.toHaveProperty('quality')
  })

  test.each(['message_template_quality_update', 'message_template_status_update'])('quality, under %s', (field) => {
    const [event] = change(field, { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' })
    expect(event).toMatchObject({ quality: 'yellow', templateId: '9107199254740993' })
    expect(event).not.toHaveProperty('status')
  })

  test('category, changed or about to change', () => {
    expect(
      change('template_category_update', { previous_category: 'UTILITY', new_category: 'MARKETING' }),
    ).toMatchObject([{ category: 'MARKETING' }])
    const [planned] = change('template_category_update', { new_category: 'UTILITY', correct_category: 'MARKETING' })
    expect(planned).toMatchObject({ detail: 'Meta will change its category to marketing' })
    expect(planned).not.toHaveProperty('category')
  })

  test('words', () => {
    expect(change('message_template_components_update', { message_template_element: 'Hi' })).toMatchObject([
      { kind: 'template-change', detail: 'Its content was changed at Meta' },
    ])
  })

  test('without a name yields no event', () => {
    expect(eventsOf(envelope('message_template_status_update', { event: 'APPROVED' }))).toEqual([])
  })
})

describe('the account', () => {
  test.each<[string, object, string]>([
    [
      'phone_number_quality_update',
      { display_phone_number: '918047181000', event: 'FLAGGED', current_limit: 'TIER_2K' },
      'Number 918047181000: FLAGGED, limit TIER_2K',
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '918047181000',
        decision: 'DECLINED',
        requested_verified_name: 'Acme',
        rejection_reason: 'NAME_X',
      },
      'The name Acme of number 918047181000: DECLINED, NAME_X',
    ],
    ['business_capability_update', { max_daily_conversation_per_phone: -1 }, 'Limits changed: -1 people in 24 hours'],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      'The account: DISABLED_UPDATE, DISABLE',
    ],
    ['account_update', { event: 'NEW_THING' }, 'The account: NEW_THING'],
    ['account_review_update', { decision: 'APPROVED' }, 'The review of the account: APPROVED'],
    ['account_alerts', { entity_type: 'BUSINESS', alert_info: { alert_description: 'Verify' } }, 'Alert: Verify'],
    ['account_alerts', {}, 'Alert: without words'],
  ])('%s', (field, value, detail) => {
    expect(eventsOf(envelope(field, value))).toMatchObject([
      { kind: 'account-change', detail, at: new Date(1_750_000_000_000) },
    ])
  })

  test('an error without a message', () => {
    expect(messages({ errors: [{ code: 131031, title: 'Locked' }] })).toMatchObject([
      { kind: 'account-change', detail: 'Fault: Locked', lineId },
    ])
  })

  test('people who opt out of marketing, and opt in again', () => {
    const user_preferences = [
      { wa_id: '919812345678', category: 'marketing_messages', value: 'stop', timestamp: 1_750_000_000 },
      { wa_id: '919812345679', category: 'marketing_messages', value: 'resume', timestamp: '1750000001' },
      { wa_id: '919812345670', category: 'other_things', value: 'stop', timestamp: '1750000001' },
      { wa_id: '919812345670', category: 'marketing_messages', value: 'perhaps', timestamp: '1750000001' },
    ]
    expect(eventsOf(envelope('user_preferences', { metadata, user_preferences }))).toMatchObject([
      { kind: 'preference-change', from: '919812345678', wantsNone: true, at: new Date(1_750_000_000_000), lineId },
      { kind: 'preference-change', from: '919812345679', wantsNone: false },
    ])
  })
})
