import { megabyte } from '@carillon/contract/sizes'
import type { MediaRules } from '../media-rules.ts'

/** Media of cards, with the sizes that phones load without a warning. */
export const cardMedia: MediaRules = {
  accepts: {
    'image/jpeg': { what: 'An image', maximumBytes: 2 * megabyte },
    'image/png': { what: 'An image', maximumBytes: 2 * megabyte },
    'image/gif': { what: 'An image', maximumBytes: 2 * megabyte },
    'video/mp4': { what: 'A video', maximumBytes: 10 * megabyte },
    'application/pdf': { what: 'A PDF', maximumBytes: 10 * megabyte },
  },
  refusal: 'RCS shows images (JPEG, PNG, GIF), videos (MP4) and PDF documents',
}
