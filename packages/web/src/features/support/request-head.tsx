import type { SupportRequest, SupportStatus } from '@carillon/contract/support'
import { ArrowUpFromLine, CircleCheck, CircleDashed, Ellipsis, Loader, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { roleNames } from '../../lib/format.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Pill } from '../../ui/pill.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { toast } from '../../ui/toast.tsx'
import { listView } from '../../lib/list-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { EscalateDialog } from './escalate-dialog.tsx'
import { SupportStatusPill } from './status-pill.tsx'
import { categoryNames, priorityNames, type Side } from './support-labels.ts'

/** Subject and assignee of the request, and actions. */
export function RequestHead({ request, side }: { request: SupportRequest; side: Side }) {
  const { subject, requestNumber, status, openedBy, answeredBy, category, priority, campaignId } = request
  const from = openedBy.name === openedBy.organization ? roleNames[openedBy.type] : openedBy.organization
  return (
    <header className="flex shrink-0 flex-col gap-2 border-b border-border px-5 py-4">
      <h3 className="text-section font-semibold [overflow-wrap:anywhere]">{subject}</h3>
      <p className="text-dense text-muted-foreground">
        <span className="tabular-nums">#{requestNumber}</span> · {openedBy.name}
        {side === 'staff' && from ? `, ${from}` : ''} ·{' '}
        {request.kind === 'feedback' ? 'Feedback' : categoryNames[category]}
        {answeredBy ? ` · with ${answeredBy.name}` : ''}
      </p>
      <div className="flex flex-wrap items-center gap-1.5">
        <SupportStatusPill status={status} side={side} />
        {priority === 'normal' ? null : (
          <Pill tone={priority === 'urgent' ? 'bad' : priority === 'high' ? 'care' : 'neutral'}>
            {priorityNames[priority]}
          </Pill>
        )}
        {request.isEscalated ? <Pill tone="neutral">Escalated</Pill> : null}
        {campaignId ? (
          <AreaLink
            to="campaigns"
            search={writeView(listView, { openId: campaignId })}
            className={`text-dense ${linkClass}`}
          >
            Campaign
          </AreaLink>
        ) : null}
        <RequestActions request={request} side={side} />
      </div>
    </header>
  )
}

function RequestActions({ request, side }: { request: SupportRequest; side: Side }) {
  const [handingOn, setHandingOn] = useState(false)
  const change = useApiWrite('support.setStatus', {
    refreshes: ['support.get', 'support.messages', 'support.list'],
    onError: ({ message }) => toast.error(message),
  })
  // Accounts that escalated it can only read.
  if (side === 'staff' && !request.mayAnswer) return null

  const set = (status: SupportStatus) => change.mutate({ path: { id: request.id }, body: { status } })
  const isOver = request.status === 'resolved' || request.status === 'closed'
  const items: MenuItem[] = [
    ...(side === 'staff' && !isOver && request.status !== 'in_progress'
      ? [{ label: 'Mark as in progress', icon: Loader, onSelect: () => set('in_progress') }]
      : []),
    ...(request.mayEscalate ? [{ label: 'Escalate', icon: ArrowUpFromLine, onSelect: () => setHandingOn(true) }] : []),
    ...(request.status === 'closed'
      ? []
      : [{ label: 'Close request', icon: CircleDashed, onSelect: () => set('closed') }]),
  ]
  return (
    <span className="ml-auto flex items-center gap-1">
      {isOver ? (
        <Button size="sm" loading={change.isPending} onClick={() => set('reopened')}>
          <RotateCcw aria-hidden /> Reopen
        </Button>
      ) : (
        <Button size="sm" loading={change.isPending} onClick={() => set('resolved')}>
          <CircleCheck aria-hidden /> Mark as resolved
        </Button>
      )}
      {items.length > 0 ? (
        <Menu
          label="More"
          items={items}
          trigger={
            <IconButton label="More" size="sm">
              <Ellipsis aria-hidden />
            </IconButton>
          }
        />
      ) : null}
      {handingOn ? <EscalateDialog id={request.id} onClose={() => setHandingOn(false)} /> : null}
    </span>
  )
}
