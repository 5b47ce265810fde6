import { defaultChannels, socketTiming, typingEventType } from '@carillon/contract/constants'
import { Role } from '@carillon/contract/roles'
import { describe, expect, test } from 'vitest'
import {
  layoutAnimationSeconds,
  mobileBreakpoint,
  persistenceTimeoutMs,
  sessionCheckMs,
  sidebarCookieSeconds,
  toasts,
  tooltips,
} from '../lib/constants.ts'
import { guardTexts } from '../lib/guard.ts'
import { screens } from './routes.tsx'
import { texts } from './texts.ts'

const shared = [
  '',
  'general',
  'quota-reports-management',
  'billing',
  'campaigns',
  'campaigns/individual-numbers',
  'campaigns/individual-reports',
  'campaigns/unified',
  'campaigns/rcs-campaign-creation',
  'campaigns/whatsapp-campaign-creation',
  'campaigns/sms-campaign-creation',
  'manage-templates',
  'manage-templates/rcs',
  'manage-templates/rcs/creation',
  'manage-templates/sms',
  'manage-templates/whatsapp',
  'manage-templates/whatsapp/whatsapp-template-creation',
  'manage-templates/create-sms',
  'manage-templates/unified',
  'channels',
  'channels/rcs',
  'channels/whatsapp',
  'channels/sms',
  'chats',
  'agents',
  'api-management',
  'api',
  'reports',
]

/** The screens of the specification that are built, by the role whose area they are in. */
const built: Record<Role, readonly string[]> = {
  admin: ['', 'users', 'quota-reports', 'campaigns', 'settings'],
  reseller: ['', 'users', 'campaigns', 'settings', 'quota-management'],
  manager: [...shared, 'users', 'sub-users'],
  user: shared,
  department_head: shared,
}

/** Those that are not built yet, of the areas that organisations share. One that is built moves up. */
const unbuilt = ['workflows', 'workflows/editor', 'workflows/view', 'ai-agent-hub', 'marketplace']

/** Screens that the specification does not have. */
const wizards = ['campaigns/unified/creation']
const added: Partial<Record<Role, readonly string[]>> = {
  manager: wizards,
  user: wizards,
  department_head: wizards,
  // Its account menu leads to Billing, where a reseller's statement, invoices and margin are.
  reseller: ['billing'],
}

describe.each(Role.options)('the area of %s', (role) => {
  const paths = screens.filter(({ roles }) => roles.includes(role)).map(({ path }) => path)

  test('has the screens of the specification, and of what was added', () => {
    expect(paths.toSorted()).toEqual([...built[role], ...(added[role] ?? [])].toSorted())
  })

  test('has none of those that are listed as not built', () => {
    expect(paths.filter((path) => unbuilt.includes(path))).toEqual([])
  })
})

test('the socket connects again as the specification says, and tells that somebody types', () => {
  expect(socketTiming).toEqual({
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
    randomizationFactor: 0.5,
    timeout: 20_000,
  })
  expect(typingEventType).toBe('IS_TYPING')
})

test('the channel depends on the area until another one is chosen', () => {
  const { quickstart: _, ...specified } = defaultChannels
  expect(specified).toEqual({ audience: 'sms', campaigns: 'sms', optOuts: 'sms', examples: 'whatsapp' })
})

test('the constants of the browser', () => {
  expect({
    sessionCheckMs,
    persistenceTimeoutMs,
    sidebarCookieSeconds,
    mobileBreakpoint,
    layoutAnimationSeconds,
    toasts,
    tooltips,
  }).toEqual({
    sessionCheckMs: 60_000,
    persistenceTimeoutMs: 5000,
    sidebarCookieSeconds: 604_800,
    mobileBreakpoint: 768,
    layoutAnimationSeconds: 0.45,
    toasts: { visible: 3, durationMs: 4000, gap: 14, swipeThreshold: 20 },
    tooltips: { delayMs: 700, skipDelayMs: 300 },
  })
})

test('the words of the browser', () => {
  expect(guardTexts).toEqual({
    suspicious: 'Suspicious activity detected. This incident will be logged.',
    unauthorized: 'Unauthorized access attempt detected.',
  })
  expect(texts).toMatchObject({
    sessionExpired: {
      title: 'Session Expired',
      body: 'Your session has expired due to inactivity. Please log in again to continue.',
      action: 'Return to Login',
    },
    balanceLoading: 'Loading...',
    balanceFailed: 'Failed to fetch balance.',
    topUp: {
      invalid: 'Please enter a valid balance amount',
      sent: 'Balance Request Sent',
      failed: 'Failed to request balance',
    },
  })
})
