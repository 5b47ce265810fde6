import { LinkTarget } from '@carillon/contract/link-addresses'
import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

type LinkFieldProps = {
  link: string | undefined
  className?: string
  /** With the page, or without one while it is incomplete. */
  onLink: (link: string | undefined) => void
}

/** The page of a tracked link. */
export function LinkField({ link, className = '', onLink }: LinkFieldProps) {
  const [text, setText] = useState(link ?? '')
  const [isTyped, setTyped] = useState(false)
  return (
    <Field
      small
      className={className}
      label="Page"
      help="Each recipient gets a short address of their own, and clicks are counted."
      error={isTyped ? problemOf(text) : undefined}
    >
      <Input
        size="sm"
        inputMode="url"
        placeholder="https://"
        value={text}
        maxLength={2000}
        onBlur={() => setTyped(text !== '')}
        onChange={({ target }) => {
          setTyped(false)
          setText(target.value)
          onLink(problemOf(target.value) === undefined && target.value !== '' ? target.value.trim() : undefined)
        }}
      />
    </Field>
  )
}

function problemOf(text: string): string | undefined {
  return text === '' ? undefined : LinkTarget.safeParse(text.trim()).error?.issues[0]?.message
}
