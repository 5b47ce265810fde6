import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { UseQueryResult } from '@tanstack/react-query'
import { CalendarClock, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { listView } from '../../../lib/list-view.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'

type OpenedDraftProps = {
  id: string | undefined
  read: UseQueryResult<SavedDraft>
  /** The path of the wizard. */
  wizard: string
  children: (saved: SavedDraft | undefined) => ReactNode
}

const editable: readonly CampaignStatus[] = ['draft', 'ready', 'failed']

/** Loads the draft first, and rejects one that has become a campaign. */
export function OpenedDraft({ id, read, wizard, children }: OpenedDraftProps) {
  if (id === undefined) return children(undefined)
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (read.isPending) {
    return (
      <Loading label="Loading the draft">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (!editable.includes(read.data.status)) return <NotEditable id={id} wizard={wizard} status={read.data.status} />
  return children(read.data)
}

function NotEditable({ id, wizard, status }: { id: string; wizard: string; status: CampaignStatus }) {
  const isScheduled = status === 'scheduled'
  return (
    <Empty
      icon={isScheduled ? CalendarClock : CircleCheck}
      title={isScheduled ? 'This campaign is scheduled' : 'This campaign has been started'}
      actions={
        <>
          <Button asChild variant="primary">
            <AreaLink to="campaigns" search={writeView(listView, { openId: id })}>
              Open the campaign
            </AreaLink>
          </Button>
          <Button asChild>
            <AreaLink to={wizard}>New campaign</AreaLink>
          </Button>
        </>
      }
    >
      {isScheduled
        ? 'Open it and choose Edit to unschedule it first.'
        : 'A campaign that has started cannot be edited.'}
    </Empty>
  )
}
