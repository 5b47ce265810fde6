import { Switch as Primitive } from 'radix-ui'
import { useFieldControl } from './field.tsx'

type SwitchProps = {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  /** Accessible name: 'Campaign for Acme'. Not needed inside a field. */
  label?: string
  disabled?: boolean
}

export function Switch({ checked, onCheckedChange, label, disabled }: SwitchProps) {
  const { id } = useFieldControl()
  return (
    <Primitive.Root
      id={id}
      checked={checked}
      onCheckedChange={onCheckedChange}
      aria-label={label}
      disabled={disabled}
      className="relative h-4.5 w-8 shrink-0 rounded-full bg-input transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:bg-brand"
    >
      <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white shadow-sm transition-transform duration-120 ease-out data-[state=checked]:translate-x-4 dark:data-[state=checked]:bg-brand-foreground" />
    </Primitive.Root>
  )
}
