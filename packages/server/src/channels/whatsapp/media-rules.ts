import { megabyte } from '@carillon/contract/sizes'
import type { MediaRules } from '../media-rules.ts'

/** Media of a message. */
export const messageMedia: MediaRules = {
  accepts: {
    'image/jpeg': { what: 'An image', maximumBytes: 5 * megabyte },
    'image/png': { what: 'An image', maximumBytes: 5 * megabyte },
    'image/webp': { what: 'A sticker', maximumBytes: megabyte / 2 },
    'video/mp4': { what: 'A video', maximumBytes: 16 * megabyte },
    'video/3gpp': { what: 'A video', maximumBytes: 16 * megabyte },
    'audio/aac': { what: 'A sound', maximumBytes: 16 * megabyte },
    'audio/amr': { what: 'A sound', maximumBytes: 16 * megabyte },
    'audio/mpeg': { what: 'A sound', maximumBytes: 16 * megabyte },
    'audio/mp4': { what: 'A sound', maximumBytes: 16 * megabyte },
    'audio/ogg': { what: 'A sound', maximumBytes: 16 * megabyte },
    'application/pdf': { what: 'A document', maximumBytes: 100 * megabyte },
  },
  refusal: 'WhatsApp shows images (JPEG, PNG), videos (MP4, 3GP), PDF documents and audio',
}

const sampleTypes = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf']

/** The sample of a template's header, for its review. */
export const sampleMedia: MediaRules = {
  accepts: Object.fromEntries(Object.entries(messageMedia.accepts).filter(([type]) => sampleTypes.includes(type))),
  refusal: 'A sample is an image (JPEG, PNG), a video (MP4) or a PDF document',
}
