import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { texts } from './texts.ts'

type PasswordFieldProps = {
  label: string
  value: string
  onValue: (value: string) => void
  error?: string | undefined
  /** Help below the field; replaced by the Caps Lock notice. */
  help?: string | undefined
  autoComplete: 'current-password' | 'new-password'
  ref?: ComponentProps<'input'>['ref']
  autoFocus?: boolean
}

/** A password field with show button and Caps Lock notice. */
export function PasswordField({ label, value, onValue, error, help, ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} error={error} help={capsLock ? texts.capsLock : help}>
      <Input
        {...rest}
        name="password"
        size="lg"
        type={isShown ? 'text' : 'password'}
        maxLength={128}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))}
        onBlur={() => setCapsLock(false)}
        trailing={
          <button
            type="button"
            aria-label={isShown ? texts.hidePassword : texts.showPassword}
            onClick={() => setIsShown(!isShown)}
            className="-mr-1 grid size-7 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground max-md:-mr-2.5 max-md:size-11"
          >
            <Icon aria-hidden className="size-4" />
          </button>
        }
      />
    </Field>
  )
}
