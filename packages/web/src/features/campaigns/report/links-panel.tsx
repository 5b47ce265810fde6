import type { CampaignLink } from '@carillon/contract/links'
import type { ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { countOf, formatCount, formatPercent } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Region } from '../../../ui/region.tsx'
import { RecipientsLink } from './recipients-link.tsx'

type LinksPanelProps = {
  campaignId: string
  children: (content: ReactNode) => ReactNode
}

/** The tracked links of a campaign and who clicked them; nothing if it has none. */
export function LinksPanel({ campaignId, children }: LinksPanelProps) {
  const read = useApi(
    'links.list',
    { path: { id: campaignId } },
    { refetchInterval: (data) => (data && data.links.length > 0 ? 5000 : false) },
  )
  if (read.data?.links.length === 0 || !mayCall('links.list')) return null
  return children(
    <Region read={read} label="the links" lines={3}>
      {({ links, people }) => (
        <>
          <ul className="divide-y divide-line">
            {links.map((link) => (
              <LinkRow key={`${link.leg} ${link.variable}`} link={link} />
            ))}
          </ul>
          <p className="border-t border-line pt-3 text-dense text-muted-foreground">
            <RecipientsLink
              campaignId={campaignId}
              shown={{ clicked: true }}
              count={people}
              label={`Clicked: list ${countOf(people, 'recipient')}`}
            >
              {countOf(people, 'recipient')}
            </RecipientsLink>{' '}
            clicked at least one link. Previews are requests of programs, such as scanners, and are not clicks.
          </p>
        </>
      )}
    </Region>,
  )
}

function LinkRow({ link: { variable, url, sent, people, clicks, previews } }: { link: CampaignLink }) {
  return (
    <li className="flex flex-col gap-1 py-3 first:pt-0">
      <div className="flex items-baseline gap-3">
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="min-w-0 flex-1 truncate font-medium text-brand-text underline"
          title={url}
        >
          {url}
        </a>
        <span className="font-medium tabular-nums">{formatCount(people)}</span>
        <span className="w-14 text-right text-muted-foreground tabular-nums">
          {sent === 0 ? '—' : formatPercent(people / sent)}
        </span>
      </div>
      <p className="text-dense text-muted-foreground tabular-nums">
        {variable} · {countOf(people, 'person', 'people')} of {formatCount(sent)} sent to · {countOf(clicks, 'click')} ·{' '}
        {countOf(previews, 'preview')}
      </p>
    </li>
  )
}
