import type { Notification } from '@carillon/contract/notifications'
import type { Role } from '@carillon/contract/roles'
import { useUser } from '../../lib/session.ts'
import { openSupport } from '../../lib/support.ts'
import { billingLink, reportsLink, settingsLink, webhookLink } from '../../lib/links.ts'
import type { Screen } from '../../lib/lazy-screen.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import type { Search } from '../../lib/search.ts'
import { useGo } from '../../ui/area-link.tsx'
import { channelScreens } from '../../channels/screens.ts'
import { screens } from '../routes.tsx'
import type { FeedEntry } from './feed-entries.ts'

type Link = NonNullable<Notification['link']>
type Leading = Pick<FeedEntry, 'kind' | 'link'>

/**
 * The screens that show an object, the preferred ones first: roles have different screens. Without billing, requests are
 * answered on the dashboard.
 */
const places: Record<Exclude<Link['type'], 'support_request' | 'connection' | 'template'>, readonly string[]> = {
  campaign: ['campaigns'],
  account: ['users'],
  top_up: ['billing', ''],
  balance: ['billing', 'quota-management'],
  sending: ['settings'],
  sender_requests: ['settings'],
  conversation: ['chats'],
  webhook_endpoint: ['api-management'],
  report: ['reports'],
  report_schedule: ['reports'],
}

/** Opens the target of a notification; undefined if it has none. */
export function usePlaceOf(): (entry: Leading) => (() => void) | undefined {
  const go = useGo()
  const user = useUser()
  return (entry) => {
    const { link } = entry
    if (!link || !user) return undefined
    if (link.type === 'support_request') return () => openSupport({ kind: 'request', id: link.id })
    const place = placeOf(entry, user.type)
    return place && (() => go(place.path, place.search))
  }
}

export function placeOf(
  { kind, link }: Leading,
  role: Role,
  available: readonly Pick<Screen, 'path' | 'roles'>[] = screens,
): { path: string; search: Search } | undefined {
  if (!link) return undefined
  const path = candidatesOf(link).find((one) =>
    available.some((screen) => screen.path === one && screen.roles.includes(role)),
  )
  return path === undefined ? undefined : { path, search: path === '' ? {} : searchOf(kind, link) }
}

function candidatesOf({ type, id, channel }: Link): readonly string[] {
  if (type === 'support_request') return []
  if (type === 'connection') return [`channels/${id}`]
  if (type !== 'template') return places[type]
  const templates = channel && channelScreens[channel].templates
  return templates ? [templates.path] : []
}

function searchOf(kind: FeedEntry['kind'], { type, id }: Link): Search {
  if (type === 'top_up')
    return writeView(billingLink, { tab: 'requests', box: kind === 'topup_requested' ? 'incoming' : 'mine' })
  if (type === 'sending') return writeView(settingsLink, { tab: 'sending' })
  if (type === 'webhook_endpoint') return writeView(webhookLink, { tab: 'webhooks', endpointId: id })
  if (type === 'report_schedule') return writeView(reportsLink, { tab: 'schedules', openId: id })
  if (type === 'sender_requests') return writeView(settingsLink, { tab: 'channels' })
  return type === 'balance' || type === 'connection' ? {} : writeView(listView, { openId: id })
}
