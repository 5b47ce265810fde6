import type { Loss } from '@carillon/contract/message-losses'
import type { Gallery } from '../../../lib/gallery.ts'
import { LossChips } from './loss-chips.tsx'

const losses: readonly Loss[] = [
  { kind: 'image', label: 'Image dropped' },
  { kind: 'replies', label: 'Replies dropped' },
  { kind: 'links', label: 'Button becomes a link' },
  { kind: 'parts', label: '2 parts' },
]

export const gallery: Gallery = {
  title: 'Loss chips',
  states: {
    All: () => <LossChips losses={losses} label="Losses" />,
    'The first, and the number of others': () => <LossChips losses={losses} most={1} label="Losses" />,
    None: () => <LossChips losses={[]} label="Losses" />,
  },
}
