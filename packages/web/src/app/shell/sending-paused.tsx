import { settingsLink } from '../../lib/links.ts'
import { writeView } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

const everyMs = 60_000

/** For admins, while sending is paused after a restore. */
export function SendingPaused() {
  const state = useApi('sending.state', { query: { page: 1, limit: 1 } }, { refetchInterval: everyMs })
  if (!state.data?.isPaused) return null
  return (
    <Notice
      shape="bar"
      tone="bad"
      actions={
        <Button variant="ghost" size="tool" asChild>
          <AreaLink to="settings" search={writeView(settingsLink, { tab: 'sending' })}>
            Review
          </AreaLink>
        </Button>
      }
    >
      Sending is paused for every organization after a restore.
    </Notice>
  )
}
