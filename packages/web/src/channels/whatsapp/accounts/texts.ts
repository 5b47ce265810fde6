import { businessVerticals, type ConnectionStep } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'

export const texts = {
  title: 'WhatsApp',
  firstUse: 'Connect WhatsApp',
  firstUseText: 'Connect your business number to message customers who opted in.',
  ask: 'Ask the manager of your organisation to connect it.',
  noApp:
    'This installation has no Meta app, so sign-up with Facebook is unavailable. Connect manually with a token instead.',
  unfinished: 'Not finished. Nothing was connected; you can resume at any time.',
} as const

export const stepTitles: Record<ConnectionStep, string> = {
  token: 'Token and permissions',
  account: 'Account and numbers',
  subscription: 'Webhooks subscribed',
  webhook: 'Callback URL verified',
  registration: 'Number registered',
  test: 'Test message delivered',
}

/** Labels of Meta's industries. */
export function verticalLabel(vertical: string): string {
  return special[vertical] ?? `${vertical.slice(0, 1)}${vertical.slice(1).toLowerCase()}`
}

const special: Record<string, string> = {
  UNDEFINED: 'Not chosen',
  AUTO: 'Vehicles',
  EDU: 'Education',
  ENTERTAIN: 'Entertainment',
  EVENT_PLAN: 'Events',
  GOVT: 'Public service',
  HEALTH: 'Medical and health',
  NONPROFIT: 'Non-profit',
  ONLINE_GAMBLING: 'Gambling online',
  OTC_DRUGS: 'Pharmacy',
  PHYSICAL_GAMBLING: 'Gambling',
  PROF_SERVICES: 'Professional services',
}

export const verticalOptions = ['UNDEFINED' as const, ...businessVerticals].map((value) => ({
  value,
  label: verticalLabel(value),
}))
