import type { Notification } from '@carillon/contract/notifications'
import { useUser } from '../../lib/session.ts'
import { openSupport } from '../../lib/support.ts'
import { idParam } from '../../lib/url-state.ts'
import type { Search } from '../../lib/search.ts'
import { useGo } from '../../ui/area-link.tsx'
import { screens } from '../routes.tsx'

type Link = NonNullable<Notification['link']>

/** The screens that show a thing, the best first: each role has others. */
const places: Record<Exclude<Link['type'], 'support_request'>, readonly string[]> = {
  campaign: ['campaigns'],
  template: ['manage-templates/sms'],
  account: ['users'],
  top_up: ['billing', 'quota-management', 'quota-reports'],
  balance: ['billing', 'quota-management'],
}

/** What opens the thing that a notification is about; undefined where there is nothing to open. */
export function usePlaceOf(): (link: Link | undefined) => (() => void) | undefined {
  const go = useGo()
  const user = useUser()
  return (link) => {
    if (!link || !user) return undefined
    if (link.type === 'support_request') return () => openSupport({ kind: 'request', id: link.id })
    const path = places[link.type].find((one) =>
      screens.some((screen) => screen.path === one && screen.roles.includes(user.type)),
    )
    return path === undefined ? undefined : () => go(path, searchOf(link))
  }
}

function searchOf({ type, id }: Link): Search {
  if (type === 'top_up') return { t: '2' }
  return type === 'balance' ? {} : { c: idParam().write(id) }
}
