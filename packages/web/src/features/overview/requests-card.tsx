import type { TopUpRequest } from '@carillon/contract/billing'
import { useState } from 'react'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { AnswerTopUpDialog } from '../../ui/answer-top-up-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Region } from '../../ui/region.tsx'
import { When } from '../../ui/text.tsx'

const shown = 5

/** Top-up requests of accounts below, with buttons to answer them. */
export function RequestsCard() {
  const [answering, setAnswering] = useState<TopUpRequest>()
  const requests = useApi(
    'topUps.list',
    { query: { box: 'incoming', status: 'pending', limit: shown } },
    { refetchInterval: 60_000 },
  )
  const total = requests.data?.total ?? 0
  return (
    <Card
      title="Top-up requests"
      actions={
        total > shown ? (
          <span className="pr-2 text-dense text-muted-foreground">
            {formatCount(shown)} of {formatCount(total)}
          </span>
        ) : undefined
      }
    >
      <Region read={requests} label="the requests" lines={3}>
        {(data) =>
          data.requests.length === 0 ? (
            <p className="px-4 pb-4 text-muted-foreground">No top-up requests.</p>
          ) : (
            <ul>
              {data.requests.map((request) => (
                <li key={request._id} className="flex items-center gap-3 border-t border-line py-2.5 pr-3 pl-4">
                  <span className="min-w-0 flex-1">
                    <b className="block truncate font-medium">{request.name}</b>
                    <span className="block truncate text-caption text-muted-foreground">
                      <When at={request.createdAt} />
                      {request.note ? ` · ${request.note}` : ''}
                    </span>
                  </span>
                  <span className="tabular-nums">{formatMoney(request.requestedBalance)}</span>
                  <Button size="tool" aria-label={`Answer ${request.name}`} onClick={() => setAnswering(request)}>
                    Answer…
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Region>
      {answering ? <AnswerTopUpDialog request={answering} onClose={() => setAnswering(undefined)} /> : null}
    </Card>
  )
}
