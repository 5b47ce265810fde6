import type { CampaignStatus } from '@carillon/contract/campaign-records'
import type { UseQueryResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'

type OpenedDraftProps<Saved> = {
  id: string | undefined
  read: UseQueryResult<Saved>
  /** The path of the wizard. */
  wizard: string
  children: (saved: Saved | undefined) => ReactNode
}

const editable: readonly CampaignStatus[] = ['draft', 'ready', 'failed']

/** Loads the draft first, and refuses one that is a campaign on its way by now. */
export function OpenedDraft<Saved extends { status: CampaignStatus }>(props: OpenedDraftProps<Saved>) {
  const { id, read, wizard, children } = props
  if (id === undefined) return children(undefined)
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (read.isPending) {
    return (
      <Loading label="Loading the draft">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (!editable.includes(read.data.status)) return <Started id={id} wizard={wizard} />
  return children(read.data)
}

function Started({ id, wizard }: { id: string; wizard: string }) {
  return (
    <Empty
      icon={CircleCheck}
      title="This campaign has been started"
      actions={
        <>
          <Button asChild variant="primary">
            <AreaLink to="campaigns" search={{ c: id }}>
              Open the campaign
            </AreaLink>
          </Button>
          <Button asChild>
            <AreaLink to={wizard}>New campaign</AreaLink>
          </Button>
        </>
      }
    >
      What is on its way cannot be edited any more.
    </Empty>
  )
}
