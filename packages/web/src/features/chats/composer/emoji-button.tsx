import { Smile } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'

const emojis = [
  '😀',
  '😊',
  '😂',
  '🙂',
  '😉',
  '😍',
  '🙏',
  '👍',
  '👏',
  '👌',
  '🙌',
  '💪',
  '❤️',
  '🎉',
  '✨',
  '🔥',
  '✅',
  '❌',
  '⏰',
  '📦',
  '🚚',
  '💳',
  '📞',
  '📍',
] as const

/** Common emojis; all others come from the keyboard of the system. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Emoji"
      open={open}
      onOpenChange={setOpen}
      className="w-70 p-2"
      trigger={
        <IconButton label="Emoji" size="sm" className="max-md:size-11">
          <Smile aria-hidden />
        </IconButton>
      }
    >
      <div className="grid grid-cols-8">
        {emojis.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-label={emoji}
            className="tap-around grid size-8 place-items-center rounded-md text-section hover:bg-accent"
            onClick={() => {
              setOpen(false)
              onPick(emoji)
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
      <p className="px-1 pt-2 text-caption text-muted-foreground">Others: Windows + . or Control + Command + Space</p>
    </Popover>
  )
}
