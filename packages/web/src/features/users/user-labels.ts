import type { AccountStatus } from '@carillon/contract/accounts'
import type { Module, Role } from '@carillon/contract/roles'
import type { Tone } from '../../ui/pill.tsx'

export const statusLabels: Record<AccountStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Needs approval', tone: 'info' },
  active: { label: 'Active', tone: 'good' },
  suspended: { label: 'Suspended', tone: 'care' },
  locked: { label: 'Locked', tone: 'bad' },
  closed: { label: 'Closed', tone: 'neutral' },
}

export const roleLabels: Record<Role, string> = {
  admin: 'Admin',
  reseller: 'Reseller',
  manager: 'Organisation',
  user: 'User',
  department_head: 'Department head',
}

/** What each module allows. */
export const moduleLabels: Record<Module, { label: string; effect: string }> = {
  campaign: { label: 'Campaigns', effect: 'Create, send and track campaigns' },
  template: { label: 'Templates', effect: 'Create and edit templates' },
  chat: { label: 'Conversations', effect: 'Read and answer customer messages' },
  api: { label: 'API', effect: 'Create API keys and send through the API' },
  agent: { label: 'Team members', effect: 'Invite people who answer chats' },
}
