import { FileText, Image, ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import { hostOf, isOwnMedia } from './own-media.ts'
import type { RcsPhoneMedia } from './rcs-message.ts'

const icons = { image: Image, video: Play, pdf: FileText } as const

/** An image, video or PDF in a box of fixed size; a tile if it cannot be loaded, or is on another server. */
export function RcsMedia({ media }: { media: RcsPhoneMedia }) {
  const [failed, setFailed] = useState<string>()
  const { kind, description } = media
  const shown = sourceOf(media)
  const isFailed = shown !== undefined && failed === shown.url
  if (!shown || isFailed) return <Mark media={media} isFailed={isFailed} />
  const fail = () => setFailed(shown.url)
  if (shown.isVideo) {
    return (
      <>
        <video src={shown.url} muted playsInline preload="metadata" aria-label={description} onError={fail} />
        <Mark media={media} isFailed={false} />
      </>
    )
  }
  return (
    <>
      <img src={shown.url} alt={description ?? ''} onError={fail} />
      {kind === 'image' ? null : <Mark media={media} isFailed={false} />}
    </>
  )
}

/** The file that can be shown: the image, the preview image of a video, or the video itself. */
function sourceOf({ kind, url, thumbnailUrl }: RcsPhoneMedia): { url: string; isVideo: boolean } | undefined {
  const picture = kind === 'image' ? url : thumbnailUrl
  if (picture !== undefined && isOwnMedia(picture)) return { url: picture, isVideo: false }
  return kind === 'video' && url !== undefined && isOwnMedia(url) ? { url, isVideo: true } : undefined
}

/** The kind of media; with the reason if it is not shown. */
function Mark({ media: { kind, url }, isFailed }: { media: RcsPhoneMedia; isFailed: boolean }) {
  const Icon = isFailed ? ImageOff : icons[kind]
  const isElsewhere = url !== undefined && !isOwnMedia(url)
  const note = isFailed ? 'Cannot be loaded' : isElsewhere ? hostOf(url) : ''
  return (
    <span className="phone-rcs-mark">
      <Icon aria-hidden />
      {note ? <small>{note}</small> : null}
    </span>
  )
}
