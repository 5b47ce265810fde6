import { Command } from 'cmdk'
import { LayoutTemplate, Megaphone, Smartphone, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { libraries } from '../../channels/libraries.ts'
import { onlyChannelOf } from '../../channels/own-channels.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { mayCall } from '../../lib/call.ts'
import { roleNames } from '../../lib/format.ts'
import { numberLink } from '../../lib/links.ts'
import { listView } from '../../lib/list-view.ts'
import type { Search } from '../../lib/search.ts'
import { useUser } from '../../lib/session.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { StatusPill } from '../../ui/pill.tsx'
import { screens } from '../routes.tsx'
import { paletteGroup, paletteLine } from './palette-styles.ts'

type FindsProps = {
  /** The typed text, and the part to search for. */
  typed: string
  query: string
  onGo: (path: string, search: Search) => void
}

const shownOfEach = 5

/** Search results, in addition to screens and actions. */
export function PaletteFinds(props: FindsProps) {
  const { query } = props
  if (query.length < 2) return null
  return (
    <>
      <FoundNumber {...props} />
      <FoundCampaigns {...props} />
      <FoundTemplates {...props} />
      <FoundPeople {...props} />
    </>
  )
}

function FoundCampaigns({ typed, query, onGo }: FindsProps) {
  const user = useUser()
  const enabled = useIncluded('campaign') === true
  const found = useApi(
    'campaigns.list',
    { query: { search: query, limit: shownOfEach, ...onlyChannelOf(user?.type) } },
    { enabled, keepPrevious: true },
  )
  if (!enabled || !found.data) return null
  return (
    <Found heading="Campaigns">
      {found.data.campaigns.map(({ _id, campaignName, status, ...campaign }) => (
        <FoundItem
          key={_id}
          typed={typed}
          value={`campaign ${_id}`}
          icon={<Megaphone aria-hidden />}
          label={campaignName}
          onSelect={() => onGo('campaigns', writeView(listView, { openId: _id }))}
        >
          <ChannelMark channel={campaign.channel} markOnly />
          <StatusPill status={status} />
        </FoundItem>
      ))}
    </Found>
  )
}

/** Libraries are searched with their own search, and opened with the result. */
function FoundTemplates({ typed, query, onGo }: FindsProps) {
  const included = useIncluded('template') === true
  const exists = useHasScreen('manage-templates')
  const enabled = included && exists
  const reads = useApiReads(
    libraries.map(({ templates }) => templates.find(query, shownOfEach)),
    { enabled, keepPrevious: true },
  )
  if (!enabled) return null
  const found = libraries.flatMap(({ channel, templates: { screens } }, index) =>
    (reads[index]?.data ?? []).map(({ _id, name }) => ({ _id, name, channel, path: screens.listPath })),
  )
  return (
    <Found heading="Templates">
      {found.map(({ _id, name, channel, path }) => (
        <FoundItem
          key={_id}
          typed={typed}
          value={`template ${_id}`}
          icon={<LayoutTemplate aria-hidden />}
          label={name}
          onSelect={() => onGo(path, writeView(listView, { search: query, openId: _id }))}
        >
          <ChannelMark channel={channel} markOnly />
        </FoundItem>
      ))}
    </Found>
  )
}

function FoundPeople({ typed, query, onGo }: FindsProps) {
  const user = useUser()
  const enabled = mayCall('users.list')
  const found = useApi('users.list', { query: { search: query, limit: shownOfEach } }, { enabled, keepPrevious: true })
  if (!enabled || !found.data) return null
  return (
    <Found heading={user?.type === 'manager' ? 'People' : 'Accounts'}>
      {found.data.users.map(({ _id, name, username, type }) => (
        <FoundItem
          key={_id}
          typed={typed}
          value={`account ${_id}`}
          icon={<UserRound aria-hidden />}
          label={name}
          onSelect={() => onGo('users', writeView(listView, { search: query, openId: _id }))}
        >
          <span className="truncate text-caption text-muted-foreground">
            {username} · {roleNames[type]}
          </span>
        </FoundItem>
      ))}
    </Found>
  )
}

function FoundNumber({ typed, query, onGo }: FindsProps) {
  const digits = query.replace(/[\s()-]/g, '')
  const exists = useHasScreen('campaigns/individual-numbers')
  if (!exists || !/^\+?\d{8,15}$/.test(digits)) return null
  return (
    <FoundItem
      typed={typed}
      value={`number ${query}`}
      icon={<Smartphone aria-hidden />}
      label={`Look up ${query}`}
      onSelect={() => onGo('campaigns/individual-numbers', writeView(numberLink, { number: digits }))}
    />
  )
}

function useHasScreen(path: string): boolean {
  const user = useUser()
  return screens.some((screen) => screen.path === path && user !== null && screen.roles.includes(user.type))
}

function Found({ heading, children }: { heading: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <Command.Group heading={heading} className={paletteGroup}>
      {children}
    </Command.Group>
  )
}

type FoundItemProps = {
  typed: string
  value: string
  icon: ReactNode
  label: string
  onSelect: () => void
  children?: ReactNode
}

/** A server result: its value contains the typed text, so that the palette's own filter keeps it. */
function FoundItem({ typed, value, icon, label, onSelect, children }: FoundItemProps) {
  return (
    <Command.Item value={`${typed} ${value}`} onSelect={onSelect} className={paletteLine}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {children}
    </Command.Item>
  )
}
