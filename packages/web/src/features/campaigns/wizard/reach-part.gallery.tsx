import type { LegReach } from '@carillon/contract/campaign-drafts'
import type { Gallery } from '../../../lib/gallery.ts'
import { LegReachView } from './reach-part.tsx'

const known: LegReach = {
  leg: 0,
  channel: 'rcs',
  status: 'done',
  people: 200_000,
  checked: 200_000,
  reachable: 142_000,
  notLaunched: 9400,
  checkedAt: '2026-11-25T09:00:00.000Z',
}
const unknown = { ...known, checked: 0, reachable: 0, notLaunched: 0, checkedAt: null }

function view(reach: LegReach, next: string | undefined = 'SMS') {
  return () => <LegReachView reach={reach} next={next} isRequesting={false} onCheck={() => undefined} />
}

export const gallery: Gallery = {
  title: 'Reach',
  states: {
    'Not checked': view({ ...unknown, status: 'none' }),
    Checking: view({ ...known, status: 'checking', checked: 80_000, reachable: 57_000, notLaunched: 0 }),
    Checked: view(known),
    'Checked, no one can be reached': view({ ...known, reachable: 0, notLaunched: 0 }),
    'Checked, without another leg': () => (
      <LegReachView reach={known} next={undefined} isRequesting={false} onCheck={() => undefined} />
    ),
    Failed: view({ ...unknown, status: 'failed', detail: 'The agent is not launched' }),
    'Not told by the provider': view({ ...unknown, status: 'unsupported' }),
  },
}
