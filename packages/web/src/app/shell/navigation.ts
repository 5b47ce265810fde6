import type { Module, Role } from '@carillon/contract/roles'
import {
  Bot,
  FileChartColumn,
  Gauge,
  Headset,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  Megaphone,
  MessagesSquare,
  Network,
  Plug,
  Settings2,
  Users,
  Wallet,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import { channelScreens } from '../../channels/screens.ts'
import { screens } from '../routes.tsx'

export type NavItem = {
  label: string
  path: string
  icon: LucideIcon
  module?: Module
  roles?: readonly Role[]
  group?: 'Settings'
  /** Keyboard sequence for this item. */
  keys?: readonly [string, string]
  children?: readonly { label: string; path: string }[]
  /** With the number of unread conversations. */
  showsUnread?: true
}

const aboveOrganizations: readonly Role[] = ['admin', 'reseller']
const members: readonly Role[] = ['manager', 'user', 'department_head']

/** All sidebar items; an item is shown if its screen is in the table of screens. */
const items: readonly NavItem[] = [
  { label: 'Overview', path: '', icon: LayoutDashboard, roles: members, keys: ['G', 'O'] },
  { label: 'Dashboard', path: '', icon: LayoutDashboard, roles: aboveOrganizations, keys: ['G', 'O'] },
  {
    label: 'Campaign Management',
    path: 'campaigns',
    icon: Megaphone,
    module: 'campaign',
    roles: members,
    keys: ['G', 'C'],
    children: [
      { label: 'All campaigns', path: 'campaigns' },
      { label: 'Individual numbers', path: 'campaigns/individual-numbers' },
      { label: 'Individual reports', path: 'campaigns/individual-reports' },
      { label: 'Unified', path: 'campaigns/unified' },
    ],
  },
  { label: 'Campaigns', path: 'campaigns', icon: Megaphone, roles: aboveOrganizations, keys: ['G', 'C'] },
  {
    label: 'Communication Channels',
    path: 'channels',
    icon: Plug,
    roles: members,
    keys: ['G', 'L'],
    children: subItemsOf('accounts'),
  },
  {
    label: 'Template Management',
    path: 'manage-templates',
    icon: LayoutTemplate,
    module: 'template',
    roles: members,
    keys: ['G', 'T'],
    children: [...subItemsOf('templates'), { label: 'Unified', path: 'manage-templates/unified' }],
  },
  { label: 'Performance Reports', path: 'reports', icon: FileChartColumn, keys: ['G', 'R'] },
  { label: 'Team Reports', path: 'quota-reports-management', icon: Gauge, roles: ['manager', 'department_head'] },
  { label: 'Ai Agent Hub', path: 'ai-agent-hub', icon: Bot, keys: ['G', 'I'] },
  {
    label: 'Conversations',
    path: 'chats',
    icon: MessagesSquare,
    module: 'chat',
    keys: ['G', 'H'],
    showsUnread: true,
  },
  { label: 'API Control', path: 'api-management', icon: KeyRound, module: 'api', keys: ['G', 'K'] },
  { label: 'Team Members', path: 'agents', icon: Headset, module: 'agent', keys: ['G', 'A'] },
  { label: 'Workflow Automation', path: 'workflows', icon: Workflow, keys: ['G', 'W'] },
  { label: 'System Settings', path: 'general', icon: Settings2, group: 'Settings', roles: members, keys: ['G', 'S'] },
  { label: 'User Administration', path: 'users', icon: Users, group: 'Settings', roles: ['manager'] },
  { label: 'Sub-Account Management', path: 'sub-users', icon: Network, group: 'Settings', roles: ['manager'] },
  {
    label: 'Subscription & Billing',
    path: 'billing',
    icon: Wallet,
    group: 'Settings',
    roles: members,
    keys: ['G', 'B'],
  },
  { label: 'Users Management', path: 'users', icon: Users, roles: aboveOrganizations },
  { label: 'Quota Reports', path: 'quota-reports', icon: Gauge, roles: ['admin'] },
  { label: 'Quota Management', path: 'quota-management', icon: Gauge, roles: ['reseller'] },
  { label: 'Billing', path: 'billing', icon: Wallet, roles: ['reseller'], keys: ['G', 'B'] },
  { label: 'Settings', path: 'settings', icon: Settings2, roles: aboveOrganizations, keys: ['G', 'S'] },
]

/** The channels of a section, in order. */
function subItemsOf(section: 'accounts' | 'templates') {
  return Object.values(channelScreens)
    .flatMap((own) => own[section] ?? [])
    .toSorted((a, b) => a.position - b.position)
    .map(({ label, path }) => ({ label, path }))
}

/** The sidebar items of a role. */
export function navigationOf(role: Role): readonly NavItem[] {
  const built = new Set(screens.filter((screen) => screen.roles.includes(role)).map(({ path }) => path))
  return items
    .filter((item) => built.has(item.path) && (item.roles === undefined || item.roles.includes(role)))
    .map((item) => {
      const children = item.children?.filter(({ path }) => built.has(path)) ?? []
      const { children: _, ...rest } = item
      return children.length > 0 ? { ...rest, children } : rest
    })
}

/** The breadcrumbs of a path in the area: the sidebar item it belongs to, then the screen. */
export function crumbsOf(path: string, role: Role): { label: string; path?: string }[] {
  const item = navigationOf(role).find((candidate) => isWithin(path, candidate))
  const last = titleOf({ path, role, item })
  const isItsOwn = item?.path === path && !item.children
  if (!item || isItsOwn || item.label === last) return [{ label: item?.label ?? last }]
  return [{ label: item.label, path: item.path }, { label: last }]
}

/** Whether a path is the item's own or below it; the start page counts only for itself, since every path is below it. */
export function isWithin(path: string, { path: own }: Pick<NavItem, 'path'>): boolean {
  return path === own || (own !== '' && path.startsWith(`${own}/`))
}

function titleOf({ path, role, item }: { path: string; role: Role; item: NavItem | undefined }): string {
  if (path === '') return item?.label ?? ''
  const child = item?.children?.find((candidate) => candidate.path === path)
  const screen = screens.find((candidate) => candidate.path === path && candidate.roles.includes(role))
  return child?.label ?? screen?.title ?? ''
}
