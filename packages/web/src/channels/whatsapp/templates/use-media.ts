import { useState } from 'react'
import { useApiWrite } from '../../../lib/use-api.ts'

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT'

/** Types that Meta accepts as samples. */
export const mediaRules: Record<MediaFormat, { accept: string; megabytes: number; words: string }> = {
  IMAGE: { accept: '.jpg,.jpeg,.png', megabytes: 5, words: 'JPEG or PNG up to 5 MB, ideally 1.91:1 (1,125 × 589)' },
  VIDEO: { accept: '.mp4', megabytes: 16, words: 'MP4 up to 16 MB' },
  DOCUMENT: { accept: '.pdf', megabytes: 16, words: 'PDF up to 16 MB' },
}

export type KnownMedia = { url: string; name: string; sizeBytes: number }

/** Uploads samples of headers to Meta, and remembers their previews while the builder is open. */
export function useWhatsappMedia(wabaId: string) {
  const [known, setKnown] = useState<Readonly<Record<string, KnownMedia>>>({})
  const upload = useApiWrite('waMedia.template')

  function give(file: File, onGiven: (media: { handle: string; fileId: string }) => void) {
    upload.mutate(
      { body: { waba_id: wabaId, file_name: file.name, file_type: file.type }, files: { file } },
      {
        onSuccess({ handle, fileId }) {
          const shown = { url: URL.createObjectURL(file), name: file.name, sizeBytes: file.size }
          setKnown((all) => ({ ...all, [handle]: shown }))
          onGiven({ handle, fileId })
        },
      },
    )
  }
  return { known, give, isPending: upload.isPending, error: upload.error }
}

export type WhatsappMedia = ReturnType<typeof useWhatsappMedia>
