import { FileText, Image, ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import { hostOf, isOwnMedia } from './own-media.ts'
import type { RcsPhoneMedia } from './rcs-message.ts'

const icons = { image: Image, video: Play, pdf: FileText } as const

/** An image, video or PDF in a box of fixed size; a tile if it cannot be loaded, or is on another server. */
export function RcsMedia({ media }: { media: RcsPhoneMedia }) {
  const [failed, setFailed] = useState<string>()
  const { kind, url, thumbnailUrl, description } = media
  const picture = kind === 'image' ? url : thumbnailUrl
  const isShown = canLoad(picture, failed)
  const isFailed = failed !== undefined && [picture, url].includes(failed)
  return (
    <>
      {isShown ? <img src={picture} alt={description ?? ''} onError={() => setFailed(picture)} /> : null}
      {kind === 'video' && !isShown && canLoad(url, failed) ? (
        <video src={url} muted playsInline preload="metadata" aria-label={description} onError={() => setFailed(url)} />
      ) : null}
      {isShown && kind === 'image' ? null : <Mark media={media} isFailed={isFailed} />}
    </>
  )
}

function canLoad(url: string | undefined, failed: string | undefined): boolean {
  return url !== undefined && isOwnMedia(url) && failed !== url
}

function Mark({ media: { kind, url }, isFailed }: { media: RcsPhoneMedia; isFailed: boolean }) {
  const Icon = isFailed ? ImageOff : icons[kind]
  const host = url !== undefined && !isOwnMedia(url) ? hostOf(url) : ''
  const note = isFailed ? 'Cannot be loaded' : host
  return (
    <span className="phone-rcs-mark">
      <Icon aria-hidden />
      {note ? <small>{note}</small> : null}
    </span>
  )
}
