import { sharesOf } from '@carillon/contract/figures'
import { ChevronRight } from 'lucide-react'
import type { Campaign } from '@carillon/contract/campaign-records'
import { onlyChannelOf } from '../../channels/own-channels.ts'
import { formatCount, formatKnownShare, formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { When } from '../../ui/text.tsx'
import { Region } from '../../ui/region.tsx'

/** The latest campaigns with their results. */
export function RecentCampaigns() {
  const user = useUser()
  const included = useIncluded('campaign')
  const campaigns = useApi(
    'campaigns.list',
    { query: { limit: 5, status: 'completed,failed,cancelled,running,paused', ...onlyChannelOf(user?.type) } },
    { enabled: included === true },
  )
  if (included === false) return null
  return (
    <Card
      title="Latest campaigns"
      actions={
        <Button variant="ghost" size="sm" asChild>
          <AreaLink to="campaigns">
            All campaigns <ChevronRight aria-hidden />
          </AreaLink>
        </Button>
      }
    >
      <Region read={campaigns} label="the latest campaigns" lines={5}>
        {(data) =>
          data.campaigns.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">Your campaigns appear here once they have been sent.</p>
          ) : (
            <CampaignTable rows={data.campaigns} />
          )
        }
      </Region>
    </Card>
  )
}

function CampaignTable({ rows }: { rows: readonly Campaign[] }) {
  const head =
    'h-9 px-3 text-left text-caption font-medium text-muted-foreground border-b border-border first:pl-4 last:pr-4'
  const cell = 'h-11 px-3 border-b border-line first:pl-4 last:pr-4 in-[tr:last-child]:border-0'
  return (
    <div className="relative overflow-x-auto" role="region" aria-label="The latest campaigns" tabIndex={0}>
      <table className="w-full whitespace-nowrap tabular-nums">
        <thead>
          <tr>
            <th className={head}>Campaign</th>
            <th className={head}>Status</th>
            <th className={`${head} text-right`}>Sent</th>
            <th className={`${head} text-right`}>Delivered</th>
            <th className={`${head} text-right`}>Failed</th>
            <th className={`${head} text-right`}>Cost</th>
            <th className={`${head} text-right`}>Created</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ _id, campaignName, channel, status, stats, createdAt }) => (
            <tr key={_id} className="hover:bg-accent">
              <th scope="row" className={`${cell} max-w-60 truncate text-left font-medium`}>
                <span className="mr-2">
                  <ChannelMark channel={channel} markOnly />
                </span>
                <AreaLink to="campaigns" search={writeView(listView, { openId: _id })} className="hover:underline">
                  {campaignName}
                </AreaLink>
              </th>
              <td className={cell}>
                <StatusPill status={status} />
              </td>
              <td className={`${cell} text-right`}>{formatCount(stats.submitted)}</td>
              <td className={`${cell} text-right`}>{formatKnownShare(sharesOf(stats)?.delivered)}</td>
              <td className={`${cell} text-right`}>{formatKnownShare(sharesOf(stats)?.failed)}</td>
              <td className={`${cell} text-right`}>{formatMoney(stats.cost - stats.refunded)}</td>
              <td className={`${cell} text-right text-muted-foreground`}>
                <When at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
