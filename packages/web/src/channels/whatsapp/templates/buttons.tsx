import { templateLimits } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { TemplateButton, WhatsappCategory } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import {
  ArrowDown,
  ArrowUp,
  Braces,
  ChevronDown,
  Copy,
  Ellipsis,
  ExternalLink,
  Phone,
  Plus,
  Reply,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { emptyButtons, inOrder } from './form.ts'
import { messageId, wrong, type Problems } from '../../parts/templates/problems.tsx'

type Kind = Exclude<TemplateButton['type'], 'OTP'>

const kinds: Record<Kind, { label: string; icon: LucideIcon; most: number }> = {
  URL: { label: 'Open link', icon: ExternalLink, most: 2 },
  PHONE_NUMBER: { label: 'Call', icon: Phone, most: 1 },
  COPY_CODE: { label: 'Copy code', icon: Copy, most: 1 },
  QUICK_REPLY: { label: 'Quick reply', icon: Reply, most: templateLimits.buttons },
}

type ButtonsProps = {
  buttons: readonly TemplateButton[]
  onChange: (buttons: readonly TemplateButton[]) => void
}

type AddButtonProps = ButtonsProps & { category: WhatsappCategory; most?: number }

export function AddButton({ buttons, category, most = templateLimits.buttons, onChange }: AddButtonProps) {
  const items = (['URL', 'PHONE_NUMBER', 'COPY_CODE', 'QUICK_REPLY'] as const).map((type): MenuItem => {
    const { label, icon, most: mostOfKind } = kinds[type]
    const count = buttons.filter((button) => button.type === type).length
    return {
      label,
      icon,
      disabled: reasonAgainst(type, { category, isFull: buttons.length >= most, isEnough: count >= mostOfKind }),
      onSelect: () => onChange(inOrder([...buttons, emptyButtons[type]])),
    }
  })
  return (
    <Menu
      label="Add button"
      items={items}
      trigger={
        <Button variant="ghost" size="tool">
          <Plus aria-hidden /> Add button <ChevronDown aria-hidden />
        </Button>
      }
    />
  )
}

type Against = { category: WhatsappCategory; isFull: boolean; isEnough: boolean }

function reasonAgainst(type: Kind, { category, isFull, isEnough }: Against): string | undefined {
  if (isFull) return 'No more buttons fit'
  if (isEnough) return `At most ${kinds[type].most}`
  return type === 'COPY_CODE' && category !== 'MARKETING' ? 'For marketing only' : undefined
}

type ButtonListProps = ButtonsProps & { at: string; problems: Problems }

/** The buttons in their two groups; reordered with their menu, or with Alt and the arrow keys. */
export function ButtonList({ buttons, at, problems, onChange }: ButtonListProps) {
  if (buttons.length === 0) return null
  const change = (index: number, next: TemplateButton) =>
    onChange(buttons.map((button, place) => (place === index ? next : button)))
  const remove = (index: number) => onChange(buttons.filter((_, place) => place !== index))
  return (
    <ul className="border-y border-border">
      {buttons.map((button, index) => (
        <ButtonRow
          key={index}
          button={button}
          at={`${at}.${index}`}
          position={index + 1}
          problems={problems}
          canMove={{ up: sameGroup(buttons, index, -1), down: sameGroup(buttons, index, 1) }}
          onChange={(next) => change(index, next)}
          onMove={(by) => onChange(swapped(buttons, index, by))}
          onRemove={() => remove(index)}
        />
      ))}
    </ul>
  )
}

function sameGroup(buttons: readonly TemplateButton[], index: number, by: 1 | -1): boolean {
  const other = buttons[index + by]
  return other !== undefined && (other.type === 'QUICK_REPLY') === (buttons[index]?.type === 'QUICK_REPLY')
}

function swapped(buttons: readonly TemplateButton[], index: number, by: 1 | -1): TemplateButton[] {
  const next = [...buttons]
  const [moved] = next.splice(index, 1)
  if (moved) next.splice(index + by, 0, moved)
  return next
}

type ButtonRowProps = {
  button: TemplateButton
  at: string
  position: number
  problems: Problems
  canMove: { up: boolean; down: boolean }
  onChange: (button: TemplateButton) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function ButtonRow({ button, at, position, problems, canMove, onChange, onMove, onRemove }: ButtonRowProps) {
  if (button.type === 'OTP') return null
  const { label, icon: Icon } = kinds[button.type]
  const field = ['text', 'url', 'phone_number', 'sample'].find((name) => problems(`${at}.${name}`)) ?? ''
  const found = problems(`${at}.${field}`)
  const mark = (name: string) => wrong(at, field === name ? found : undefined)

  function onKeyDown(event: KeyboardEvent) {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (by === undefined) return
    event.preventDefault()
    if (by === -1 ? canMove.up : canMove.down) onMove(by === -1 ? -1 : 1)
  }

  return (
    <li data-field={at} onKeyDown={onKeyDown} className="border-b border-line py-2 last:border-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 md:grid-cols-[108px_minmax(0,150px)_minmax(0,1fr)_auto]">
        <span className="flex items-center gap-2 text-dense">
          <Icon aria-hidden className="size-4 text-muted-foreground" /> {label}
        </span>
        <span className="max-md:col-span-2 max-md:row-start-2" data-field={`${at}.text`}>
          <Input
            size="sm"
            aria-label={`Label of button ${position}`}
            {...mark('text')}
            maxLength={60}
            disabled={button.type === 'COPY_CODE'}
            placeholder="Label"
            value={button.type === 'COPY_CODE' ? 'Copy code' : button.text}
            onChange={(event) => button.type !== 'COPY_CODE' && onChange({ ...button, text: event.target.value })}
          />
        </span>
        <span className="max-md:col-span-2">
          <Target button={button} at={at} position={position} mark={mark} onChange={onChange} />
        </span>
        <span className="max-md:col-start-2 max-md:row-start-1">
          <ButtonRowActions position={position} canMove={canMove} onMove={onMove} onRemove={onRemove} />
        </span>
      </div>
      {found ? <FieldMessage id={messageId(at)} text={found} /> : null}
    </li>
  )
}

function ButtonRowActions({
  position,
  canMove,
  onMove,
  onRemove,
}: Pick<ButtonRowProps, 'position' | 'canMove' | 'onMove' | 'onRemove'>) {
  return (
    <Menu
      label={`Button ${position}`}
      items={[
        {
          label: 'Move up',
          icon: ArrowUp,
          disabled: canMove.up ? undefined : 'Already the first of its kind',
          onSelect: () => onMove(-1),
          keys: ['Alt', '↑'],
        },
        {
          label: 'Move down',
          icon: ArrowDown,
          disabled: canMove.down ? undefined : 'Already the last of its kind',
          onSelect: () => onMove(1),
          keys: ['Alt', '↓'],
        },
        'separator',
        { label: 'Remove', icon: Trash2, destructive: true, onSelect: onRemove },
      ]}
      trigger={
        <IconButton label={`Actions of button ${position}`} size="tool">
          <Ellipsis aria-hidden />
        </IconButton>
      }
    />
  )
}

type TargetProps = Pick<ButtonRowProps, 'button' | 'at' | 'position' | 'onChange'> & {
  mark: (field: string) => ReturnType<typeof wrong>
}

/** Target of a button: URL, phone number or code. */
function Target({ button, at, position, mark, onChange }: TargetProps) {
  if (button.type === 'URL') {
    const isDynamic = button.url.includes('{{')
    return (
      <span data-field={`${at}.url`}>
        <Input
          size="sm"
          type="url"
          aria-label={`Address of button ${position}`}
          {...mark('url')}
          maxLength={2500}
          value={button.url}
          onChange={(event) => onChange({ ...button, url: event.target.value })}
          trailing={
            isDynamic ? null : (
              <IconButton
                label="Add a variable at the end"
                size="tool"
                className="-mr-1.5"
                onClick={() => onChange({ ...button, url: `${button.url}{{1}}` })}
              >
                <Braces aria-hidden />
              </IconButton>
            )
          }
        />
      </span>
    )
  }
  if (button.type === 'PHONE_NUMBER') {
    return (
      <span data-field={`${at}.phone_number`}>
        <Input
          size="sm"
          type="tel"
          aria-label={`Number of button ${position}`}
          {...mark('phone_number')}
          maxLength={30}
          value={button.phone_number}
          onChange={(event) => onChange({ ...button, phone_number: event.target.value })}
        />
      </span>
    )
  }
  if (button.type === 'COPY_CODE') {
    return (
      <span data-field={`${at}.sample`}>
        <Input
          size="sm"
          mono
          aria-label={`Sample code of button ${position}`}
          {...mark('sample')}
          placeholder="A sample, such as DIYA500"
          maxLength={30}
          value={button.sample}
          onChange={(event) => onChange({ ...button, sample: event.target.value })}
        />
      </span>
    )
  }
  return <span className="text-dense text-muted-foreground max-md:hidden">sent back as a reply</span>
}
