import { Laptop } from 'lucide-react'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import { When } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'

/** The caller’s active sessions; an ended session stops working within seconds. */
export function SessionList() {
  const sessions = useApi('sessions.list', {}, { refetchInterval: 30_000 })
  const end = useApiWrite('sessions.end', {
    refreshes: ['sessions.list'],
    onSuccess: () => toast.success('Session ended'),
    onError: ({ message }) => toast.error(message),
  })
  const endOthers = useApiWrite('sessions.endOthers', {
    refreshes: ['sessions.list'],
    onSuccess: ({ ended }) => toast.success(ended === 1 ? 'One session ended' : `${ended} sessions ended`),
    onError: ({ message }) => toast.error(message),
  })
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <h2 className="flex-1 text-section font-semibold">Active sessions</h2>
        {(sessions.data?.sessions.length ?? 0) > 1 ? (
          <Button size="sm" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            End all others
          </Button>
        ) : null}
      </div>
      <Region read={sessions} label="your sessions" lines={3}>
        {(data) => (
          <ul className="rounded-lg border border-border">
            {data.sessions.map(({ _id, device, ip, isCurrent, openedBy, lastSeenAt }) => (
              <li key={_id} className="flex min-h-14 items-center gap-3 border-t border-line px-4 py-2 first:border-0">
                <Laptop aria-hidden className="size-4 text-muted-foreground" />
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {device}
                    {isCurrent ? <Pill tone="good">This device</Pill> : null}
                    {openedBy ? <Pill tone="care">opened by {openedBy}</Pill> : null}
                  </p>
                  <p className="text-caption text-muted-foreground">
                    {ip ? `${ip} · ` : ''}
                    used <When at={lastSeenAt} />
                  </p>
                </div>
                {isCurrent ? null : (
                  <Button size="tool" variant="ghost" onClick={() => end.mutate({ path: { id: _id } })}>
                    End<span className="sr-only"> the session on {device}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Region>
    </section>
  )
}
