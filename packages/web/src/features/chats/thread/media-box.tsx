import type { MessageBody } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Download, FileAudio, FileText, FileX, ImageIcon, Video, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { toast } from '../../../ui/toast.tsx'
import { typeNames } from '../chat-labels.ts'
import { mayShow, useMedia } from '../state/use-media.ts'

type Media = NonNullable<MessageBody['media']>
type MediaBoxProps = { chatId: string; type: MessageBody['type']; media: Media; caption: string }

const icons: Partial<Record<MessageBody['type'], LucideIcon>> = {
  image: ImageIcon,
  sticker: ImageIcon,
  video: Video,
  audio: FileAudio,
}

/** Media in a box of a fixed size, so that nothing moves when it is loaded. */
export function MediaBox(props: MediaBoxProps) {
  const { type, media } = props
  const isShown = media.state === 'stored' && mayShow(media.mimeType)
  if (isShown && (type === 'image' || type === 'sticker')) return <Picture {...props} />
  if (isShown && type === 'video') return <Film {...props} />
  if (isShown && type === 'audio') return <Sound {...props} />
  return <FileLine {...props} />
}

function Picture({ chatId, type, media, caption }: MediaBoxProps) {
  const [isOpen, setOpen] = useState(false)
  const file = useMedia(chatId, media)
  const label = caption || media.name || typeNames[type]
  return (
    <>
      <button
        type="button"
        aria-label={`Open ${label}`}
        onClick={() => setOpen(true)}
        className={clsx('block overflow-hidden rounded-lg bg-secondary', type === 'sticker' ? 'size-32' : 'h-45 w-60')}
      >
        {file.data ? (
          <img
            src={file.data}
            alt={label}
            className={clsx('size-full', type === 'sticker' ? 'object-contain' : 'object-cover')}
          />
        ) : (
          <Waiting icon={ImageIcon} failed={file.isError} />
        )}
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        width="large"
        title={media.name ?? typeNames[type]}
        footer={<DownloadButton chatId={chatId} media={media} type={type} />}
      >
        {file.data ? <img src={file.data} alt={label} className="mx-auto max-h-[70dvh] max-w-full" /> : null}
      </Dialog>
    </>
  )
}

function Film({ chatId, media, caption }: MediaBoxProps) {
  const file = useMedia(chatId, media)
  return (
    <div className="h-45 w-60 overflow-hidden rounded-lg bg-secondary">
      {file.data ? (
        // Customers' videos have no captions.
        <video src={file.data} controls preload="metadata" aria-label={caption || 'Video'} className="size-full" />
      ) : (
        <Waiting icon={Video} failed={file.isError} />
      )}
    </div>
  )
}

function Sound({ chatId, media }: MediaBoxProps) {
  const file = useMedia(chatId, media)
  return (
    <div className="grid h-13 w-72 max-w-full place-items-center">
      {file.data ? (
        <audio src={file.data} controls preload="metadata" aria-label="Audio message" className="h-10 w-full" />
      ) : (
        <Waiting icon={FileAudio} failed={file.isError} />
      )}
    </div>
  )
}

function Waiting({ icon: Icon, failed }: { icon: LucideIcon; failed: boolean }) {
  return (
    <span className="grid size-full place-items-center gap-1 text-caption text-muted-foreground">
      {failed ? (
        <span className="flex flex-col items-center gap-1">
          <FileX aria-hidden className="size-5" /> Could not be loaded
        </span>
      ) : (
        <Icon aria-hidden className="size-6 opacity-50" />
      )}
    </span>
  )
}

/** A document, and media that is being fetched or is gone. */
function FileLine({ chatId, type, media }: MediaBoxProps) {
  const Icon = icons[type] ?? FileText
  const size = media.sizeBytes ? formatBytes(media.sizeBytes) : undefined
  return (
    <div className="flex h-13 w-72 max-w-full items-center gap-2.5 rounded-lg border border-border bg-background px-2.5 text-foreground">
      <span className="grid size-8 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
        {media.state === 'waiting' ? (
          <Spinner />
        ) : media.state === 'failed' ? (
          <FileX aria-hidden className="size-4" />
        ) : (
          <Icon aria-hidden className="size-4" />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="message-text block truncate text-dense font-medium">
          {media.name ?? typeNames[type]}
        </span>
        <span className="block truncate text-caption text-muted-foreground">{stateText(media, size)}</span>
      </span>
      {media.state === 'stored' ? <DownloadButton chatId={chatId} media={media} type={type} isIcon /> : null}
    </div>
  )
}

function stateText({ state }: Media, size: string | undefined): string {
  if (state === 'waiting') return 'Loading from the channel…'
  if (state === 'failed') return 'No longer available from the channel'
  return size ?? 'File'
}

type DownloadProps = { chatId: string; media: Media; type: MessageBody['type']; isIcon?: boolean }

function DownloadButton({ chatId, media, type, isIcon }: DownloadProps) {
  const file = useMedia(chatId, media, false)
  async function download() {
    const { data, error } = file.data ? { data: file.data, error: null } : await file.refetch()
    if (!data) return toast.error(error?.message ?? 'The file could not be loaded')
    const link = document.createElement('a')
    link.href = data
    link.download = media.name ?? typeNames[type].toLowerCase()
    link.click()
    return undefined
  }
  return (
    <Button
      variant={isIcon ? 'ghost' : 'outline'}
      size="sm"
      aria-label={`Download ${media.name ?? typeNames[type]}`}
      loading={file.isFetching && isIcon === true}
      onClick={() => void download()}
    >
      <Download aria-hidden /> {isIcon ? null : 'Download'}
    </Button>
  )
}
