import { Command } from 'cmdk'
import { LayoutTemplate, Megaphone, Smartphone, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { channelList } from '../../channels/index.ts'
import { onlyChannelOf } from '../../channels/own-channels.ts'
import { channelScreens } from '../../channels/screens.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { mayCall } from '../../lib/call.ts'
import { roleNames } from '../../lib/format.ts'
import type { Search } from '../../lib/search.ts'
import { useUser } from '../../lib/session.ts'
import { idParam, textParam } from '../../lib/url-state.ts'
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
          onSelect={() => onGo('campaigns', { c: idParam().write(_id) })}
        >
          <ChannelMark channel={campaign.channel} markOnly />
          <StatusPill status={status} />
        </FoundItem>
      ))}
    </Found>
  )
}

const searched = channelList.flatMap(({ channel, templateReads }) => {
  const screen = channelScreens[channel].templates
  return templateReads && screen ? [{ channel, find: templateReads.find, path: screen.path }] : []
})

/** The libraries are searched as they search themselves, and opened at what was found. */
function FoundTemplates({ typed, query, onGo }: FindsProps) {
  const included = useIncluded('template') === true
  const exists = useHasScreen(searched[0]?.path ?? '')
  const enabled = included && exists
  const reads = useApiReads(
    searched.map(({ find }) => find(query, shownOfEach)),
    { enabled, keepPrevious: true },
  )
  if (!enabled) return null
  const templates = searched.flatMap(({ channel, path }, index) =>
    (reads[index]?.data ?? []).map(({ _id, name }) => ({ _id, name, channel, path })),
  )
  return (
    <Found heading="Templates">
      {templates.map(({ _id, name, channel, path }) => (
        <FoundItem
          key={_id}
          typed={typed}
          value={`template ${_id}`}
          icon={<LayoutTemplate aria-hidden />}
          label={name}
          onSelect={() => onGo(path, { q: textParam().write(query), c: idParam().write(_id) })}
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
          onSelect={() => onGo('users', { q: textParam().write(query), c: idParam().write(_id) })}
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
      onSelect={() => onGo('campaigns/individual-numbers', { q: textParam().write(digits) })}
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
