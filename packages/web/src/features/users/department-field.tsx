import { useApi } from '../../lib/use-api.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

type DepartmentFieldProps = {
  /** The department head's id; empty: directly below the organisation. */
  value: string
  error?: string | undefined
  onValueChange: (value: string) => void
}

const none = 'none'
const most = 100

/** The department head of a user; hidden if there are none. */
export function DepartmentField({ value, error, onValueChange }: DepartmentFieldProps) {
  const heads = useApi('users.list', {
    query: { type: 'department_head', status: 'active', sort: 'name', direction: 'asc', limit: most },
  })
  if (heads.error)
    return (
      <Field label="Department" error={heads.error.message}>
        {disabled('Not available')}
      </Field>
    )
  if (!heads.data) return <Field label="Department">{disabled('Loading…')}</Field>
  if (heads.data.users.length === 0) return null
  return (
    <Field
      label="Department"
      error={error}
      help="Its head can see this person, their campaigns and usage. You can change it later with Move."
    >
      <Select
        value={value || none}
        options={[
          { value: none, label: 'None: directly below the organisation' },
          ...heads.data.users.map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
        onValueChange={(chosen) => onValueChange(chosen === none ? '' : chosen)}
      />
    </Field>
  )
}

const disabled = (label: string) => <Select disabled value="" placeholder={label} options={[]} />
