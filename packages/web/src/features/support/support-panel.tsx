import { ArrowLeft, Plus } from 'lucide-react'
import { closeSupport, openSupport, type SupportPanel as Panel } from '../../lib/support.ts'
import { useUser } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { FeedbackForm } from './feedback-form.tsx'
import { NewRequest } from './new-request.tsx'
import { RequestList } from './request-list.tsx'
import { RequestThread } from './request-thread.tsx'

const titles: Record<Panel['kind'], string> = {
  requests: 'Support',
  request: 'Support request',
  new: 'New request',
  feedback: 'Feedback',
}

/** Support panel above any screen: requests, a thread, a new request, and feedback. */
export function SupportPanel({ panel }: { panel: Panel }) {
  const user = useUser()
  const isInside = panel.kind === 'request' || panel.kind === 'new'
  return (
    <Sheet
      open
      onOpenChange={closeSupport}
      actions={panel.kind === 'requests' && user?.type !== 'admin' ? <NewRequestButton /> : null}
      name={titles[panel.kind]}
      title={
        <>
          {isInside ? (
            <IconButton label="Back to all requests" size="sm" className="-ml-2" onClick={() => openSupport()}>
              <ArrowLeft aria-hidden />
            </IconButton>
          ) : null}
          {titles[panel.kind]}
        </>
      }
    >
      {panel.kind === 'requests' && user ? <RequestList role={user.type} /> : null}
      {panel.kind === 'request' ? <RequestThread key={panel.id} id={panel.id} /> : null}
      {panel.kind === 'new' ? <NewRequest campaignId={panel.campaignId} /> : null}
      {panel.kind === 'feedback' ? <FeedbackForm /> : null}
    </Sheet>
  )
}

function NewRequestButton() {
  return (
    <Button size="sm" variant="primary" onClick={() => openSupport({ kind: 'new' })}>
      <Plus aria-hidden /> New request
    </Button>
  )
}
