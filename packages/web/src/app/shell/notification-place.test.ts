import { expect, test } from 'vitest'
import { placeOf } from './notification-place.ts'

const asked = { kind: 'topup_requested', link: { type: 'top_up', id: '0199aaaa' } } as const
const answered = { kind: 'topup_approved', link: { type: 'top_up', id: '0199aaaa' } } as const

test('a request for balance leads to where it is answered', () => {
  expect(placeOf(asked, 'reseller')).toEqual({ path: 'billing', search: { t: '2', b: '1' } })
  expect(placeOf(asked, 'admin')).toEqual({ path: '', search: {} })
  expect(placeOf(asked, 'manager')).toEqual({ path: 'billing', search: { t: '2', b: '1' } })
})

test('an answer leads to one’s own requests', () => {
  expect(placeOf(answered, 'manager')).toEqual({ path: 'billing', search: { t: '2' } })
})

test.each(['whatsapp', 'rcs'] as const)(
  'a notification of a template of %s opens it in the list of its channel',
  (channel) => {
    const rejected = {
      kind: 'template_rejected',
      link: { type: 'template', id: '0199aaaa-0000-7000-8000-000000000001', channel },
    } as const
    expect(placeOf(rejected, 'manager')).toMatchObject({
      path: `manage-templates/${channel}`,
      search: { c: expect.any(String) },
    })
    expect(placeOf(rejected, 'admin')).toBeUndefined()
  },
)

test.each(['conversation_assigned', 'conversation_mentioned', 'message_received'] as const)(
  '%s opens the conversation in the inbox',
  (kind) => {
    const id = '0199aaaa-0000-8000-8000-000000000001'
    const chats = [{ path: 'chats', roles: ['manager'] }] as const
    expect(placeOf({ kind, link: { type: 'conversation', id } }, 'manager', chats)).toEqual({
      path: 'chats',
      search: { c: id },
    })
    expect(placeOf({ kind, link: { type: 'conversation', id } }, 'user', chats)).toBeUndefined()
  },
)

test('a notification of a disabled endpoint opens its deliveries', () => {
  const id = '0199aaaa-0000-7000-8000-000000000001'
  expect(placeOf({ kind: 'webhook_disabled', link: { type: 'webhook_endpoint', id } }, 'manager')).toEqual({
    path: 'api-management',
    search: { t: '3', w: expect.any(String) },
  })
})

test('a notification of a schedule opens its log', () => {
  const id = '0199aaaa-0000-7000-8000-000000000001'
  const reports = [{ path: 'reports', roles: ['manager'] }] as const
  expect(
    placeOf({ kind: 'report_schedule_failed', link: { type: 'report_schedule', id } }, 'manager', reports),
  ).toEqual({ path: 'reports', search: { t: '1', c: id } })
})

test.each(['report_ready', 'report_failed'] as const)('%s opens the report', (kind) => {
  const id = '0199aaaa-0000-7000-8000-000000000001'
  const reports = [{ path: 'reports', roles: ['manager'] }] as const
  expect(placeOf({ kind, link: { type: 'report', id } }, 'manager', reports)).toEqual({
    path: 'reports',
    search: { c: id },
  })
})
